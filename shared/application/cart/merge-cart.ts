import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import { resolveLine } from "#shared/domain/cart/cart-lines.ts";
import { type CartMerge, mergeLines, mergedCart } from "#shared/domain/cart/cart-merge.ts";
import type { StoredCart } from "#shared/domain/cart/cart.ts";
import {
  type CartOwner,
  Carts,
  isExpired,
  mergeAway,
  putCart,
} from "#shared/storage/cart/carts.ts";
import { releaseWrites } from "#shared/storage/delivery/delivery-places.ts";
import { factReads, readCatalogFacts } from "#shared/storage/catalog/published-facts.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { at } from "#shared/storage/reads.ts";
import { renewPictures } from "#shared/storage/enquiry/upload-holds.ts";
import type { Write } from "#shared/storage/writes.ts";

interface MergeCall {
  /** The header `X-Cart-Token`. */
  readonly cartToken: string | undefined;
  readonly customer: string;
  readonly now: Date;
}

/**
 * Merges a guest's cart into the customer's cart in the transaction of the login or registration. If two logins with
 * the same cart run concurrently, the second finds the cart already merged and only signs in.
 *
 * @param store stores the merge's writes together with those of the login; throws Refused when any write is refused
 * @returns what happened to the guest's lines; undefined when the request named no cart
 */
export async function mergingCart(
  call: MergeCall,
  { table, settings }: Shop<"table" | "settings", CommerceGroup>,
  store: (writes: readonly Write[]) => Promise<void>,
): Promise<CartMerge | undefined> {
  if (call.cartToken === undefined) {
    await store([]);
    return undefined;
  }
  const owners = {
    guest: { kind: "guest", tokenHash: hashOf(call.cartToken) },
    customer: { kind: "customer", id: call.customer },
  } as const satisfies Record<string, CartOwner>;
  async function read() {
    const { guest, own } = await table.getMany({
      guest: [at(Carts, { owner: owners.guest })],
      own: [at(Carts, { owner: owners.customer })],
    });
    return { guest: guest[0], own: own[0] };
  }

  const [{ checkout, store: shop }, carts] = await Promise.all([settings.current(), read()]);
  return retryOnConflict(carts, read, async ({ guest, own }) => {
    if (!guest || !isCurrent(guest, call.now)) {
      await store([]);
      return { added: 0, combined: 0, dropped: [] };
    }
    const found = await table.getMany(factReads(guest.lines));
    const facts = await readCatalogFacts(table.getMany, guest.lines, found);
    const sale = { now: call.now, currency: shop.currency };
    const current = own && isCurrent(own, call.now) ? own : undefined;
    const { lines, merge } = mergeLines(
      current?.lines ?? [],
      guest.lines.map((stored) => ({ stored, published: resolveLine(stored, facts, sale) })),
    );
    const { now } = call;
    const lifetimeDays = checkout.cart_lifetime_days;
    const cart = mergedCart(current, guest, lines, {
      customer: call.customer,
      version: own?.version ?? 0,
      lifetimeDays,
      now,
    });
    await Promise.all([
      store([
        mergeAway(owners.guest, guest, now),
        putCart(owners.customer, cart, own),
        ...endedHold(current, guest, cart, now),
      ]),
      renewPictures(table, guest, { lifetimeDays, now }),
      current && renewPictures(table, current, { lifetimeDays, now }),
    ]);
    return merge;
  });
}

/**
 * Releases the place that the merged cart does not hold: that of the customer's cart if it holds the guest's, or the
 * guest's if all lines were dropped. A customer's cart without lines holds none.
 */
function endedHold(
  own: StoredCart | undefined,
  guest: StoredCart,
  after: StoredCart,
  now: Date,
): Write[] {
  if (after.lines.length === 0) return releaseWrites(guest.slot_hold, null, now);
  const held = own?.slot_hold ?? null;
  return held?.holder === after.slot_hold?.holder ? [] : releaseWrites(held, null, now);
}

const isCurrent = (cart: StoredCart, now: Date): boolean =>
  cart.status === "active" && !isExpired(cart, now);
