import type { Shop } from "#shared/application/shop.ts";
import { hashOf, newOpaqueToken } from "#shared/auth/opaque-tokens.ts";
import {
  type StoredCart,
  type StoredCartLine,
  cartExpiry,
  combineLines,
  newCart,
} from "#shared/domain/cart/cart.ts";
import { cartLimits } from "#shared/domain/cart/cart-limits.ts";
import type { ResolvedLine } from "#shared/domain/cart/bare-line.ts";
import { resolveLine, refreshedLines } from "#shared/domain/cart/cart-lines.ts";
import { type CartReading, sellable, shortages } from "#shared/domain/cart/cart-view.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import {
  type ExpectedVersion,
  AppError,
  type FieldErrors,
  invalidField,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { type CartOwner, putCart } from "#shared/storage/cart/carts.ts";
import { releaseWrites } from "#shared/storage/delivery/delivery-places.ts";
import {
  type CartFacts,
  readCart,
  readFacts,
  buyerOf,
  type CartCaller,
  type OpenedCart,
} from "./read-cart.ts";
import { storeWithPictures } from "./cart-pictures.ts";
import { type DraftLine, invalidItems, unknownSku } from "./draft-lines.ts";
import type { CartToChange } from "./open-to-change.ts";

export interface CartWriter extends CartCaller {
  readonly headers: CartCaller["headers"] & { readonly "if-match"?: ExpectedVersion };
}

/** The new content of a cart. */
export interface CartDraft {
  readonly lines: readonly DraftLine[];
  readonly coupon: string | null;
  /** Whether this request sent the coupon. Only then is an invalid coupon reported. */
  readonly couponIsNew: boolean;
  /** Pending check of the rate limit on coupon codes; null if the request sent no code. */
  readonly admission: Promise<unknown> | null;
  /** Catalog records and coupon of the draft, if the caller has already read them. */
  readonly facts?: CartFacts;
}

export interface SavedCart {
  readonly reading: CartReading;
  /** Token issued for a guest's new cart. */
  readonly issuedToken: string | null;
}

/**
 * Prices the draft and stores it as the caller's cart, all or nothing. If the cart would not change, nothing is stored.
 *
 * @throws AppError `validation_failed` naming the items that are not available, `version_mismatch`
 * @throws Refused when the cart was written since it was opened
 */
export async function saveCart(
  call: CartWriter,
  opened: CartToChange,
  draft: CartDraft,
  shop: Shop<"table" | "lastLines" | "randomBytes">,
): Promise<SavedCart> {
  requireVersion(call.headers["if-match"], opened.cart?.version ?? 0);
  const { now } = call;
  const drafted = draft.lines.map(({ line }) => line);
  const [facts] = await Promise.all([
    draft.facts ?? readFacts(opened.reads, drafted, draft.coupon, buyerOf(call.actor)),
    draft.admission,
  ]);
  const { currency } = opened.settings.store;
  const published = drafted.map((line) => resolveLine(line, facts, { now, currency }));
  refuseWhatIsNotSold(draft.lines, published, facts, opened.cart);

  const lines = combined(draft.lines, refreshedLines(drafted, published, facts));
  const target = targetOf(call, opened, shop);
  const cart = nextCart(opened, target, { lines, coupon_code: draft.coupon }, now);
  const request = { settings: opened.settings, destination: null, method: null, now };
  const reading = readCart(cart, facts, request);
  refuseShortages(draft.lines, reading);
  refuseNewCoupon(draft, reading);
  if (Buffer.byteLength(JSON.stringify(cart)) > cartLimits.bytes) {
    throw invalidField("items", "The cart is too large. Remove some items.");
  }
  const kept = opened.cart;
  if (kept && isUnchanged(kept, { ...cart, expires_at: kept.expires_at })) {
    return { reading: readCart(kept, facts, request), issuedToken: null };
  }

  await storeWithPictures(shop.table, {
    writes: [
      putCart(target.owner, cart, target.before),
      ...(isEmpty(cart) ? releaseWrites(opened.cart?.slot_hold ?? null, null, now) : []),
    ],
    cart,
    before: opened.cart,
    drafts: draft.lines,
    lifetimeDays: opened.settings.checkout.cart_lifetime_days,
    now,
  });
  shop.lastLines.keep(target.owner, cart.lines);
  return { reading, issuedToken: target.token };
}

/** The key and previous version of the cart to store. */
interface CartTarget {
  readonly owner: CartOwner;
  /** The cart that is replaced. */
  readonly before: StoredCart | undefined;
  /** Newly issued token of a guest's cart. */
  readonly token: string | null;
}

/** A guest whose token names no usable cart gets a new token. */
function targetOf(
  { actor }: CartCaller,
  opened: OpenedCart,
  { randomBytes }: Shop<"table" | "lastLines" | "randomBytes">,
): CartTarget {
  const { claim, cart, record } = opened;
  if (claim && (cart || actor.kind === "customer")) {
    return { owner: claim, before: record, token: null };
  }
  const token = newOpaqueToken(randomBytes);
  return { owner: { kind: "guest", tokenHash: hashOf(token) }, before: undefined, token };
}

/** A cart without lines holds no delivery slot. */
const isEmpty = ({ lines }: Pick<StoredCart, "lines">): boolean => lines.length === 0;

function nextCart(
  { cart, settings }: OpenedCart,
  { owner, before }: CartTarget,
  content: Pick<StoredCart, "lines" | "coupon_code">,
  now: Date,
): StoredCart {
  const at = now.toISOString();
  const customer_id = owner.kind === "customer" ? owner.id : null;
  const { currency } = settings.store;
  const base = cart ?? newCart({ id: newId("cart", now), customer_id, currency, now });
  const { slot_hold } = base;
  return {
    ...base,
    ...content,
    slot_hold: slot_hold && isEmpty(content) ? { ...slot_hold, slot: null } : slot_hold,
    // The shop's current currency. Lines sold in another currency count as no longer sold.
    currency,
    version: (before?.version ?? 0) + 1,
    updated_at: at,
    expires_at: cartExpiry(now, settings.checkout.cart_lifetime_days),
  };
}

function refuseWhatIsNotSold(
  drafts: readonly DraftLine[],
  published: readonly ResolvedLine[],
  facts: CartFacts,
  cart: StoredCart | undefined,
): void {
  const errors: FieldErrors = {};
  for (const [index, { line, path }] of drafts.entries()) {
    const requirement = published[index]?.requirement;
    if (path === null || !requirement) continue;
    if (line.kind !== "sofa") {
      const isNew = !cart?.lines.some(({ id }) => id === line.id);
      errors[`${path}.sku`] = [isNew ? unknownSku : requirement.message];
      continue;
    }
    if (requirement.code !== "configuration_invalid") {
      errors[`${path}.sofa`] = [requirement.message];
      continue;
    }
    const sofa = facts.sofas.get(line.sofa_id);
    const problems = sofa ? priceSofa(sofa, facts.materials, line.configuration).errors : [];
    for (const { option, message } of problems) {
      (errors[`${path}.configuration.${option}`] ??= []).push(message);
    }
  }
  if (Object.keys(errors).length > 0) throw invalidItems(errors);
}

function combined(
  drafts: readonly DraftLine[],
  lines: readonly StoredCartLine[],
): StoredCartLine[] {
  const result = combineLines(lines);
  if (result.ok) return result.lines;
  const errors: FieldErrors = {};
  for (const { line_id, message } of result.problems) {
    const path = drafts.find(({ line }) => line.id === line_id)?.path;
    errors[path ? `${path}.quantity` : "items"] = [message];
  }
  throw invalidItems(errors);
}

/**
 * Refuses lines without enough stock, but only those that the request changed. A shortage of another line is listed in
 * the cart's requirements.
 */
function refuseShortages(drafts: readonly DraftLine[], { lines, stock }: CartReading): void {
  const short = new Map(shortages(sellable(lines), stock).map((each) => [each.line.id, each]));
  const refused = drafts.flatMap(({ line, path }) => {
    const shortage = short.get(line.id);
    return path !== null && shortage ? { path: `${path}.quantity`, ...shortage } : [];
  });
  const [first] = refused;
  if (!first) return;
  throw new AppError("validation_failed", {
    message: first.message,
    errors: Object.fromEntries(refused.map(({ path, message }) => [path, [message]])),
    details: {
      available: first.available,
      lines: refused.map(({ path, line: { sku, name }, available }) => ({
        path,
        sku,
        name,
        available,
      })),
    },
  });
}

function refuseNewCoupon({ couponIsNew }: CartDraft, { pricing: { coupon } }: CartReading): void {
  if (couponIsNew && coupon?.valid === false) throw invalidField("coupon", coupon.message);
}
