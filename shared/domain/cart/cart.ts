import { ShippingMethodCode } from "../settings/zone-settings.ts";
import * as z from "zod";
import { Availability, LeadTime } from "../catalog/availability.ts";
import { Configuration } from "../sofa/configuration.ts";
import { cartLimits } from "./cart-limits.ts";
import { CouponCode, CouponReason } from "../pricing/coupon.ts";
import { Id } from "../base/ids.ts";
import { Currency, Money } from "../base/money.ts";
import { Sku } from "../base/names.ts";
import { DeliverySlot } from "../delivery/delivery-slot.ts";
import { SlotHold } from "../delivery/slot-hold.ts";
import { DeliveryProblemCode } from "../delivery/shipping.ts";
import { Email, Timestamp } from "../base/text.ts";
import { QuotedItem } from "./quoted-item.ts";
import { LineAmounts, LineIdentity } from "../pricing/priced-line.ts";
import { PublicPicture } from "../upload/public-picture.ts";
import { PaymentPlans } from "../pricing/payment-plans.ts";
import { Totals } from "../pricing/totals.ts";

const storedLine = {
  id: Id("line"),
  quantity: z.int().min(1).max(cartLimits.quantity),
  /** The price that the buyer saw when the line was last written. */
  unit_price: Money,
};

/**
 * A stored cart line: what was chosen, and the price at its last write. All other members are read from the catalog.
 */
export const StoredCartLine = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("product"),
    ...storedLine,
    product_id: z.string(),
    variant_id: z.string(),
    slug: z.string(),
    sku: Sku,
  }),
  z.object({
    kind: z.literal("swatch"),
    ...storedLine,
    material_code: z.string(),
    sku: Sku,
  }),
  z.object({
    kind: z.literal("sofa"),
    ...storedLine,
    sofa_id: z.string(),
    slug: z.string(),
    configuration: Configuration,
    configuration_id: z.string(),
    /** The materials of the configuration, so that one batch can read them with the sofa. */
    material_codes: z.array(z.string()),
    upload_ids: z.array(z.string()),
    note: z.string().nullable(),
  }),
  z.object({
    kind: z.literal("quoted"),
    ...storedLine,
    quote_id: z.string(),
    /** The line is bound to this revision of the quote. */
    revision: z.int().min(1),
    /** The line keeps the quote's price until this time. */
    valid_until: Timestamp,
    /** What the quote takes off the line's subtotal. */
    discount: Money.default(0),
    ...QuotedItem.shape,
  }),
]);
export type StoredCartLine = z.output<typeof StoredCartLine>;

export const StoredCart = z.object({
  id: Id("cart"),
  /**
   * `converted` carts became an order. `merged` carts belonged to a guest and were merged into the cart of the customer
   * who signed in.
   */
  status: z.enum(["active", "converted", "merged"]),
  /** The order that the cart became. */
  order_id: z.string().nullable(),
  customer_id: z.string().nullable(),
  currency: Currency,
  lines: z.array(StoredCartLine).max(cartLimits.lines),
  coupon_code: CouponCode.nullable(),
  email: Email.nullable(),
  /** Null until the cart holds a delivery time. */
  slot_hold: SlotHold.nullable().default(null),
  version: z.int().min(1),
  created_at: Timestamp,
  updated_at: Timestamp,
  expires_at: Timestamp,
});
export type StoredCart = z.output<typeof StoredCart>;

export const CartItem = LineIdentity.extend({
  image: PublicPicture.nullable(),
  ...LineAmounts.shape,
  upload_ids: z.array(z.string()),
  note: z.string().nullable(),
  availability: Availability.shape.state,
  lead_time: LeadTime,
  price_changed: z.object({ from: Money, to: Money }).nullable(),
});
/** A line before its response. */
export type CartItem = z.input<typeof CartItem>;

/** Problems that block checkout until they are resolved. */
export const RequirementCode = z.enum([
  "unavailable",
  "insufficient_stock",
  "configuration_invalid",
  "quote_expired",
  "coupon_invalid",
  "slot_required",
  "slot_expired",
  "slot_taken",
  ...DeliveryProblemCode.options,
]);
export type RequirementCode = z.output<typeof RequirementCode>;

export const Requirement = z.object({
  code: RequirementCode,
  message: z.string(),
  item_id: z.string().nullable(),
  allowed: z.array(ShippingMethodCode).optional().meta({
    description: "The offered delivery methods, if the requested method is not offered",
  }),
});
export type Requirement = z.output<typeof Requirement>;

/** A notice that does not block checkout. */
export const CartWarning = z.object({
  code: z.enum(["price_changed", "low_stock", "backorder"]),
  message: z.string(),
  item_id: z.string().nullable(),
});
export type CartWarning = z.output<typeof CartWarning>;

/** A cart as its owner sees it; `id` and `expires_at` are null while no cart is stored. */
export const Cart = z.object({
  id: z.string().nullable(),
  token: z
    .string()
    .optional()
    .meta({ description: "Only present in the response that issues the token" }),
  currency: Currency,
  items: z.array(CartItem),
  item_count: z.int().meta({ description: "Total units of all lines" }),
  coupon: z
    .object({ code: z.string(), valid: z.boolean(), reason: CouponReason.nullable() })
    .nullable(),
  totals: Totals,
  payment_plans: PaymentPlans,
  slot: DeliverySlot.extend({ held_until: Timestamp })
    .nullable()
    .meta({
      description:
        "The chosen delivery time, which is held until `held_until`. If it cannot be booked, `requirements` says why: " +
        "choose another or release it with `PUT /cart/slot`",
    }),
  requirements: z.array(Requirement),
  warnings: z.array(CartWarning),
  version: z.int(),
  expires_at: Timestamp.nullable(),
});
/** A cart before its response. */
export type Cart = z.input<typeof Cart>;

/** The identity of a line: lines with equal keys are combined. */
export function lineKey(line: StoredCartLine): string {
  switch (line.kind) {
    case "product":
      return JSON.stringify([line.kind, line.variant_id]);
    case "swatch":
      return JSON.stringify([line.kind, line.material_code]);
    case "sofa": {
      const { sofa_id, configuration_id, upload_ids, note } = line;
      return JSON.stringify([line.kind, sofa_id, configuration_id, upload_ids.toSorted(), note]);
    }
    case "quoted":
      return JSON.stringify([line.kind, line.id]);
  }
}

/** Whether removing one line also removes the other: a quote's prices apply only if all its lines are bought. */
export function isRemovedWith(removed: StoredCartLine, line: StoredCartLine): boolean {
  if (removed.kind !== "quoted" || line.kind !== "quoted") return removed.id === line.id;
  return removed.quote_id === line.quote_id && removed.revision === line.revision;
}

/** Why lines do not fit into a cart; `line_id` names the first excess line, null means the whole cart. */
export interface CartProblem {
  readonly line_id: string | null;
  readonly message: string;
}

export type CombinedLines =
  | { readonly ok: true; readonly lines: StoredCartLine[] }
  | { readonly ok: false; readonly problems: readonly CartProblem[] };

/**
 * Combines equal lines: the first keeps its id and position, quantities are added, and the later price applies.
 * The caller passes existing lines before new ones.
 */
export function combineLines(lines: readonly StoredCartLine[]): CombinedLines {
  const combined = new Map<string, StoredCartLine>();
  const problems: CartProblem[] = [];
  for (const line of lines) {
    const key = lineKey(line);
    const before = combined.get(key);
    const quantity = (before?.quantity ?? 0) + line.quantity;
    if (quantity > cartLimits.quantity) {
      const message = `A cart holds at most ${cartLimits.quantity} units of one item.`;
      problems.push({ line_id: line.id, message });
    }
    combined.set(key, { ...line, id: before?.id ?? line.id, quantity });
  }
  if (combined.size > cartLimits.lines) {
    problems.push({
      line_id: null,
      message: `A cart holds at most ${cartLimits.lines} different items.`,
    });
  }
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, lines: [...combined.values()] };
}

/** A cart before its first write. */
export function newCart(made: {
  id: string;
  customer_id: string | null;
  currency: Currency;
  now: Date;
}): Omit<StoredCart, "lines" | "coupon_code" | "version" | "updated_at" | "expires_at"> {
  const { now, ...identity } = made;
  const created_at = now.toISOString();
  return {
    ...identity,
    status: "active",
    order_id: null,
    email: null,
    slot_hold: null,
    created_at,
  };
}

/** Maximum size in bytes of a stored cart apart from its lines. */
const bytesAroundLines = 1_024;

/** Whether a cart with these lines can be stored. */
export function fitsStorage(lines: readonly StoredCartLine[]): boolean {
  return Buffer.byteLength(JSON.stringify(lines)) + bytesAroundLines <= cartLimits.bytes;
}

/** When a cart that is written now expires, unless it is written again. */
export function cartExpiry(now: Date, lifetimeDays: number): Timestamp {
  return new Date(now.getTime() + lifetimeDays * 86_400_000).toISOString();
}

/**
 * When the uploaded pictures of a cart that is written now expire. They are kept for twice the cart's lifetime, so that
 * renewing them once a day suffices.
 */
export const picturesKeptUntil = (now: Date, lifetimeDays: number): Timestamp =>
  cartExpiry(now, 2 * lifetimeDays);
