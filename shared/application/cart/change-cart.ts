import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import type { LineChange, NewLine } from "#shared/domain/cart/cart-input.ts";
import { isRemovedWith } from "#shared/domain/cart/cart.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { draftLines, untouched } from "./draft-lines.ts";
import { type CartToChange, openToChange } from "./open-to-change.ts";
import { countGuess } from "./read-cart.ts";
import { type CartDraft, type CartWriter, type SavedCart, saveCart } from "./save-cart.ts";

type ChangeCartShop = Shop<
  "table" | "catalogReads" | "lastLines" | "randomBytes" | "rates" | "settings",
  CommerceGroup
>;

interface ItemsCall<Item> extends CartWriter {
  readonly ip: string;
  readonly body: {
    readonly items: readonly Item[];
    readonly coupon?: string | null | undefined;
  };
}

/**
 * Replaces the content of the caller's cart, or creates the cart.
 *
 * @param first the cart, as the request has opened it
 * @throws AppError as `saveCart`, `too_many_requests` for a coupon
 */
export async function replaceCartContent(
  call: ItemsCall<NewLine>,
  first: CartToChange,
  shop: ChangeCartShop,
): Promise<SavedCart & { isNew: boolean }> {
  const { items, coupon = null } = call.body;
  const admission = countGuess(call, coupon, shop);
  return saving(call, first, shop, async (opened) => ({
    lines: await draftLines(opened.reads, [], items, call),
    coupon,
    couponIsNew: true,
    admission,
  }));
}

/**
 * Adds, changes and removes lines of the caller's cart, or creates the cart.
 *
 * @param first the cart, as the request has opened it
 * @throws AppError as `saveCart`, `too_many_requests` for a coupon
 */
export async function changeCartItems(
  call: ItemsCall<NewLine | LineChange>,
  first: CartToChange,
  shop: ChangeCartShop,
): Promise<SavedCart> {
  const { items, coupon } = call.body;
  const admission = countGuess(call, coupon, shop);
  return saving(call, first, shop, async ({ cart, reads }) => ({
    lines: await draftLines(reads, cart?.lines ?? [], items, call),
    coupon: coupon === undefined ? (cart?.coupon_code ?? null) : coupon,
    couponIsNew: coupon !== undefined,
    admission,
  }));
}

/**
 * Removes a line of the caller's cart, and with a line of a quote all lines of that quote.
 *
 * @param first the cart, as the request has opened it
 * @throws AppError `not_found`, `version_mismatch`
 */
export async function removeCartLine(
  call: CartWriter & { readonly params: { readonly id: string } },
  first: CartToChange,
  shop: ChangeCartShop,
): Promise<SavedCart> {
  return saving(call, first, shop, async ({ cart }) => {
    const lines = cart?.lines ?? [];
    const gone = lines.find(({ id }) => id === call.params.id);
    if (!gone) throw new AppError("not_found", { message: "The cart has no line with this id." });
    const left = lines.filter((line) => !isRemovedWith(gone, line));
    const coupon = cart?.coupon_code ?? null;
    return { lines: untouched(left), coupon, couponIsNew: false, admission: null };
  });
}

/** Saves the drafted content. If the cart was written since it was opened, it is opened and drafted again. */
function saving(
  call: CartWriter & { readonly body?: { readonly items: readonly (NewLine | LineChange)[] } },
  first: CartToChange,
  shop: ChangeCartShop,
  draft: (opened: CartToChange) => Promise<CartDraft>,
): Promise<SavedCart & { isNew: boolean }> {
  const openAgain = () => openToChange(call, call.body?.items ?? [], shop);
  return retryOnConflict(first, openAgain, async (opened) => {
    const saved = await saveCart(call, opened, await draft(opened), shop);
    return { ...saved, isNew: !opened.cart };
  });
}
