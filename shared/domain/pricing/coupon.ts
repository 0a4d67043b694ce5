import * as z from "zod";
import { Id } from "../base/ids.ts";
import { type RecordReference, sellablesAt } from "../base/references.ts";
import {
  BasisPoints,
  Currency,
  Money,
  MoneySum,
  shareOf,
  splitByLargestRemainder,
  writtenAmount,
} from "../base/money.ts";
import { MachineText, readsAs, withoutSpaces } from "../base/machine-text.ts";
import { LimitedString, NullableTimestamp, Text, Timestamp } from "../base/text.ts";

/** Codes are converted to upper case, so they are not case-sensitive. Spaces are removed. */
export const CouponCode = MachineText(32)
  .overwrite(withoutSpaces)
  .toUpperCase()
  .check(readsAs(/^[A-Z0-9][A-Z0-9_-]*$/))
  .meta({ example: "WELCOME10" });
export type CouponCode = z.output<typeof CouponCode>;

export const CouponBenefit = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("percent"),
    bps: BasisPoints.min(1).max(10_000),
    cap: Money.nullable().default(null).meta({ description: "Maximum discount" }),
  }),
  z.strictObject({ kind: z.literal("fixed"), amount: Money.min(1) }),
  z.strictObject({ kind: z.literal("free_shipping") }),
]);
export type CouponBenefit = z.output<typeof CouponBenefit>;

const Uses = z.int().min(1).max(1_000_000_000);

export const Coupon = z.object({
  id: Id("cpn"),
  code: CouponCode,
  description: Text(200).nullable(),
  active: z.boolean(),
  benefit: CouponBenefit,
  /** Start of validity, inclusive. */
  starts_at: NullableTimestamp,
  /** End of validity, exclusive. */
  ends_at: NullableTimestamp,
  /** Minimum subtotal of the lines that the coupon applies to. */
  min_subtotal: Money.nullable(),
  /**
   * Maximum number of orders; null for no limit and no counter. A limit counts only orders placed while it is set.
   */
  max_uses: Uses.nullable(),
  /** Maximum number of orders per buyer. */
  max_uses_per_customer: Uses.nullable(),
  first_order_only: z.boolean(),
  login_required: z.boolean(),
  /**
   * If both are empty, the coupon applies to all lines. Otherwise it applies to lines of any of the categories or
   * products.
   */
  applies_to: z.object({
    categories: z.array(z.string()).max(200),
    product_ids: z.array(z.string()).max(200),
  }),
  /**
   * Whether any order has used the coupon, even a cancelled one. Orders refer to a coupon by its code, so a used coupon
   * keeps its code.
   */
  used: z.boolean().default(false),
  version: z.int().min(1),
  updated_at: Timestamp,
});
export type Coupon = z.output<typeof Coupon>;

/** The references of a coupon. It names categories by their slugs alone, whatever their kind. */
export const couponReferences = ({ applies_to }: Coupon): RecordReference[] => [
  ...applies_to.categories.flatMap((id, index) =>
    (["category", "collection", "room", "style"] as const).map((kind) => ({
      path: `applies_to.categories.${index}`,
      kind,
      id,
    })),
  ),
  ...sellablesAt("applies_to.product_ids", applies_to.product_ids),
];

export const CouponReason = z.enum([
  "not_found",
  "not_started",
  "expired",
  "exhausted",
  "per_customer_limit",
  "min_subtotal",
  "not_applicable",
  "login_required",
  "first_order_only",
]);
export type CouponReason = z.output<typeof CouponReason>;

/** The result of checking a code. */
export const CouponTrial = z.object({
  code: z.string().nullable(),
  valid: z.boolean(),
  reason: CouponReason.nullable(),
  message: z.string(),
  currency: Currency,
  discount: MoneySum,
});
export type CouponTrial = z.output<typeof CouponTrial>;

export const CouponTrialInput = z.strictObject({
  /** Accepts any text: a malformed code is refused like an unknown one. */
  code: LimitedString(100)
    .trim()
    .nullable()
    .meta({ description: "null removes the coupon from the cart" }),
});
export type CouponTrialInput = z.output<typeof CouponTrialInput>;

/** The message for each refusal. */
const refusals: Readonly<Record<CouponReason, string>> = {
  not_found: "This coupon does not exist. Please check the code.",
  not_started: "This coupon is not valid yet. Please try again later.",
  expired: "This coupon is no longer valid.",
  exhausted: "This coupon has been used up.",
  per_customer_limit: "You have already used this coupon the maximum number of times.",
  min_subtotal: "Your cart is below this coupon's minimum amount.",
  not_applicable: "This coupon does not apply to anything in your cart.",
  login_required: "Please sign in to use this coupon.",
  first_order_only: "This coupon is for a first order.",
};

/** The members of a line that coupon rules need. */
export interface CouponLine {
  readonly subtotal: number;
  readonly product_id: string | null;
  readonly sofa_id: string | null;
  /** Slugs of the item's category and of that category's ancestors. */
  readonly categories: readonly string[];
  /** Whether the price comes from a quote. Coupons do not reduce such a price. */
  readonly quoted: boolean;
}

/**
 * The facts about the buyer that coupon rules need. The earlier orders of a guest are known only at checkout, by email
 * and phone.
 */
export interface CouponBuyer {
  readonly signed_in: boolean;
  /** The number of the buyer's earlier orders. */
  readonly orders: number;
  /** The number of the buyer's earlier orders that used this coupon. */
  readonly uses: number;
}

/** The facts that decide whether a coupon is valid. */
export interface CouponCase {
  /** Null if no coupon has this code. */
  readonly coupon: Coupon | null;
  /** The number of orders that have used the coupon. */
  readonly uses: number;
  readonly buyer: CouponBuyer;
}

export type CouponVerdict =
  | {
      readonly valid: true;
      /** The discount of each line, in the order of the lines. */
      readonly shares: readonly number[];
      readonly discount: number;
      readonly freeShipping: boolean;
    }
  | { readonly valid: false; readonly reason: CouponReason; readonly message: string };

function reasonAgainst(
  coupon: Coupon,
  { uses, buyer }: CouponCase,
  eligible: readonly number[],
  now: Date,
): CouponReason | null {
  const time = now.getTime();
  if (coupon.starts_at !== null && time < Date.parse(coupon.starts_at)) return "not_started";
  if (coupon.ends_at !== null && time >= Date.parse(coupon.ends_at)) return "expired";
  if (coupon.max_uses !== null && uses >= coupon.max_uses) return "exhausted";
  if (coupon.login_required && !buyer.signed_in) return "login_required";
  if (coupon.first_order_only && buyer.orders > 0) return "first_order_only";
  if (coupon.max_uses_per_customer !== null && buyer.uses >= coupon.max_uses_per_customer) {
    return "per_customer_limit";
  }
  if (!eligible.some((subtotal) => subtotal > 0)) return "not_applicable";
  const subtotal = eligible.reduce((sum, amount) => sum + amount, 0);
  return coupon.min_subtotal !== null && subtotal < coupon.min_subtotal ? "min_subtotal" : null;
}

function appliesTo({ applies_to: { categories, product_ids } }: Coupon, line: CouponLine): boolean {
  if (line.quoted) return false;
  if (categories.length === 0 && product_ids.length === 0) return true;
  const id = line.product_id ?? line.sofa_id;
  return (
    (id !== null && product_ids.includes(id)) ||
    line.categories.some((slug) => categories.includes(slug))
  );
}

function discountOn(subtotal: number, benefit: CouponBenefit): number {
  switch (benefit.kind) {
    case "percent":
      return Math.min(shareOf(subtotal, benefit.bps), benefit.cap ?? Infinity);
    case "fixed":
      return Math.min(subtotal, benefit.amount);
    case "free_shipping":
      return 0;
  }
}

/**
 * Whether a coupon is valid for these lines, and its discount per line. The discount is allocated in proportion to
 * the lines' subtotals by largest remainder, so the shares add up exactly.
 *
 * @param store determines how messages format amounts
 */
export function judgeCoupon(
  known: CouponCase,
  lines: readonly CouponLine[],
  now: Date,
  store: { readonly currency: string; readonly locale: string },
): CouponVerdict {
  const { coupon } = known;
  if (coupon === null || !coupon.active) return refused("not_found");
  const eligible = lines.map((line) => (appliesTo(coupon, line) ? line.subtotal : 0));
  const reason = reasonAgainst(coupon, known, eligible, now);
  if (reason === "min_subtotal" && coupon.min_subtotal !== null) {
    const least = writtenAmount(coupon.min_subtotal, store.currency, store.locale);
    return { ...refused(reason), message: `This coupon is for orders from ${least}.` };
  }
  if (reason !== null) return refused(reason);
  const discount = discountOn(
    eligible.reduce((sum, subtotal) => sum + subtotal, 0),
    coupon.benefit,
  );
  return {
    valid: true,
    shares: splitByLargestRemainder(discount, eligible),
    discount,
    freeShipping: coupon.benefit.kind === "free_shipping",
  };
}

/** The verdict on a coupon in a cart whose quote has a coupon already. */
export const besideQuoteCoupon: CouponVerdict = {
  valid: false,
  reason: "not_applicable",
  message: "The quote in your cart has a coupon of its own, and no other can be added.",
};

/** The refusal for a reason, with its message. */
export function refused(reason: CouponReason): Extract<CouponVerdict, { valid: false }> {
  return { valid: false, reason, message: refusals[reason] };
}
