import type { StoredCart, StoredCartLine } from "../../domain/cart/cart.ts";
import { type CatalogFacts, resolveLine } from "../../domain/cart/cart-lines.ts";
import type { CartReading } from "../../domain/cart/cart-view.ts";
import { readSlot } from "../../domain/delivery/slot-hold.ts";
import type { CouponCase } from "../../domain/pricing/coupon.ts";
import { type PricingRequest, priceCart } from "../../domain/pricing/totals.ts";
import { type BuyerKey, Buyers } from "../../storage/order/buyers.ts";
import { CouponUses, Coupons } from "../../storage/pricing/coupons.ts";
import { factReads, readCatalogFacts } from "../../storage/catalog/published-facts.ts";
import { at } from "../../storage/reads.ts";
import type { Table } from "../../storage/table.ts";

/** Everything that determines a cart's price, except the settings. */
export interface CartFacts extends CatalogFacts {
  /** Null if no coupon was requested. */
  readonly coupon: CouponCase | null;
}

/** The facts about the buyer that coupon rules check. */
export interface Buyer {
  readonly signed_in: boolean;
  readonly keys: readonly BuyerKey[];
}

/** Reads everything that the lines' prices and a coupon depend on. */
export async function readFacts(
  getMany: Table["getMany"],
  lines: readonly StoredCartLine[],
  couponCode: string | null,
  buyer: Buyer,
): Promise<CartFacts> {
  const coupons = couponCode === null ? [] : [{ code: couponCode }];
  const buyers = couponCode === null ? [] : buyer.keys;
  const rows = await getMany({
    ...factReads(lines),
    coupon: coupons.map((coupon) => at(Coupons, coupon)),
    uses: coupons.map(({ code }) => at(CouponUses, { code, by: "all" })),
    ownUses: coupons.flatMap(({ code }) => buyers.map((by) => at(CouponUses, { code, by }))),
    buyers: buyers.map((key) => at(Buyers, { buyer: key })),
  });
  return {
    ...(await readCatalogFacts(getMany, lines, rows)),
    coupon:
      couponCode === null
        ? null
        : {
            coupon: rows.coupon[0] ?? null,
            uses: rows.uses[0]?.uses ?? 0,
            buyer: {
              signed_in: buyer.signed_in,
              orders: Math.max(0, ...rows.buyers.map((row) => row?.orders ?? 0)),
              uses: Math.max(0, ...rows.ownUses.map((row) => row?.uses ?? 0)),
            },
          },
  };
}

type PricingChoices = Pick<PricingRequest, "settings" | "destination" | "method" | "now">;

/** Completes stored lines with the current catalog data and prices them. */
export function priceLines(
  stored: readonly StoredCartLine[],
  facts: CartFacts,
  choices: PricingChoices,
): Pick<CartReading, "lines" | "pricing"> {
  const sale = { now: choices.now, currency: choices.settings.store.currency };
  const lines = stored.map((line) => resolveLine(line, facts, sale));
  const pricing = priceCart({
    ...choices,
    lines: lines.map(({ line }) => line),
    coupon: facts.coupon,
  });
  return { lines, pricing };
}

/**
 * Completes a stored cart with the current catalog data and prices it. Without a stored cart, the result is an empty
 * cart.
 */
export function readCart(
  cart: StoredCart | undefined,
  facts: CartFacts,
  choices: PricingChoices,
): CartReading {
  const priced = priceLines(cart?.lines ?? [], facts, choices);
  return {
    cart: cart ?? null,
    currency: cart?.currency ?? choices.settings.store.currency,
    stock: facts.stock,
    ...priced,
    slot: readSlot({
      ...choices,
      hold: cart?.slot_hold ?? null,
      lines: priced.lines.map(({ line }) => line),
    }),
  };
}
