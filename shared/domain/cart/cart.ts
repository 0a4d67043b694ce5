import * as z from "zod";
import { Availability, LeadTime } from "../catalog/availability.ts";
import { Configuration } from "../sofa/configuration.ts";
import { CouponCode, CouponReason } from "../pricing/coupon.ts";
import { Id } from "../base/ids.ts";
import { Currency, Money } from "../base/money.ts";
import { Sku } from "../base/names.ts";
import { ShippingMethodCode } from "../settings/settings.ts";
import { DeliveryProblemCode, Parcel } from "../delivery/shipping.ts";
import { Email, Timestamp } from "../base/text.ts";
import { LineAmounts, LineIdentity } from "../pricing/priced-line.ts";
import { Totals } from "../pricing/totals.ts";

export const cartLimits = {
  lines: 50,
  quantity: 99,
  uploadsPerLine: 5,
  configurationBytes: 4096,
  /** Of the whole cart as it is stored. */
  bytes: 200 * 1024,
} as const;

/** What a quote promises to sell, whatever becomes of it in the catalog. Without a SKU it is made to order. */
export const QuotedThing = LineIdentity.omit({
  id: true,
  kind: true,
  quantity: true,
  material_code: true,
}).extend({
  tax_class: z.string(),
  hsn_code: z.string().nullable(),
  lead_time: LeadTime,
  delivery_classes: z.array(z.string()),
  /** Of one unit. */
  parcels: z.array(Parcel),
});
export type QuotedThing = z.output<typeof QuotedThing>;

const storedLine = {
  id: Id("line"),
  quantity: z.int().min(1).max(cartLimits.quantity),
  /** As the buyer last saw it when writing the line. */
  unit_price: Money,
};

/** How a line was shown when it was written, for the time when its thing is sold no more. */
const shown = LineIdentity.pick({ name: true, image: true, choices: true }).optional();

/** A line as the cart keeps it: what was chosen and the price at its last write. All else is read live. */
export const StoredCartLine = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("product"),
    ...storedLine,
    product_id: z.string(),
    variant_id: z.string(),
    slug: z.string(),
    sku: Sku,
    shown,
  }),
  z.object({
    kind: z.literal("swatch"),
    ...storedLine,
    material_code: z.string(),
    sku: Sku,
    shown,
  }),
  z.object({
    kind: z.literal("sofa"),
    ...storedLine,
    sofa_id: z.string(),
    slug: z.string(),
    configuration: Configuration,
    configuration_id: z.string(),
    /** The materials of the configuration, so that one batch read can fetch them beside the sofa. */
    material_codes: z.array(z.string()),
    upload_ids: z.array(z.string()),
    note: z.string().nullable(),
    shown,
  }),
  z.object({
    kind: z.literal("quoted"),
    ...storedLine,
    quote_id: z.string(),
    /** The line goes by this offer alone. */
    revision: z.int().min(1),
    /** Until then the price is locked. */
    valid_until: Timestamp,
    ...QuotedThing.shape,
  }),
]);
export type StoredCartLine = z.output<typeof StoredCartLine>;

export const StoredCart = z.object({
  id: Id("cart"),
  /** A guest's cart is merged into the customer's who signs in with it. */
  status: z.enum(["active", "converted", "merged"]),
  /** The order it became. */
  order_id: z.string().nullable(),
  customer_id: z.string().nullable(),
  currency: Currency,
  lines: z.array(StoredCartLine).max(cartLimits.lines),
  coupon_code: CouponCode.nullable(),
  email: Email.nullable(),
  version: z.int().min(1),
  created_at: Timestamp,
  updated_at: Timestamp,
  expires_at: Timestamp,
});
export type StoredCart = z.output<typeof StoredCart>;

export const CartItem = LineIdentity.extend({
  ...LineAmounts.shape,
  upload_ids: z.array(z.string()),
  note: z.string().nullable(),
  availability: Availability.shape.state,
  lead_time: LeadTime,
  price_changed: z.object({ from: Money, to: Money }).nullable(),
});
export type CartItem = z.output<typeof CartItem>;

/** What keeps a cart from checkout until somebody deals with it. */
export const RequirementCode = z.enum([
  "unavailable",
  "insufficient_stock",
  "configuration_invalid",
  "quote_expired",
  "coupon_invalid",
  ...DeliveryProblemCode.options,
]);
export type RequirementCode = z.output<typeof RequirementCode>;

export const Requirement = z.object({
  code: RequirementCode,
  message: z.string(),
  item_id: z.string().nullable(),
  allowed: z
    .array(ShippingMethodCode)
    .optional()
    .meta({ description: "Only of a delivery method that is not offered: those that are" }),
});
export type Requirement = z.output<typeof Requirement>;

/** Worth knowing, but no obstacle. */
export const CartWarning = z.object({
  code: z.enum(["price_changed", "low_stock", "backorder"]),
  message: z.string(),
  item_id: z.string().nullable(),
});
export type CartWarning = z.output<typeof CartWarning>;

/** A cart as its owner sees it; `id` and `expires_at` are null while nothing is stored. */
export const Cart = z.object({
  id: z.string().nullable(),
  token: z.string().optional().meta({ description: "Only in the answer that issues it" }),
  currency: Currency,
  items: z.array(CartItem),
  item_count: z.int().meta({ description: "Units, summed over the lines" }),
  coupon: z
    .object({ code: z.string(), valid: z.boolean(), reason: CouponReason.nullable() })
    .nullable(),
  totals: Totals,
  requirements: z.array(Requirement),
  warnings: z.array(CartWarning),
  version: z.int(),
  expires_at: Timestamp.nullable(),
});
export type Cart = z.output<typeof Cart>;

/** What a line is a line of: equal keys are one thing bought twice. */
export function lineKey(line: StoredCartLine): string {
  switch (line.kind) {
    case "product":
    case "swatch":
      return JSON.stringify([line.kind, line.sku]);
    case "sofa": {
      const { sofa_id, configuration_id, upload_ids, note } = line;
      return JSON.stringify([line.kind, sofa_id, configuration_id, upload_ids.toSorted(), note]);
    }
    case "quoted":
      return JSON.stringify([line.kind, line.id]);
  }
}

/** Whether a line goes when another does: the prices of an offer hold for all of it together. */
export function goesWith(gone: StoredCartLine, line: StoredCartLine): boolean {
  if (gone.kind !== "quoted" || line.kind !== "quoted") return gone.id === line.id;
  return gone.quote_id === line.quote_id && gone.revision === line.revision;
}

/** Why lines do not fit into a cart; `line_id` names the line that was one too many, null the cart as a whole. */
export interface CartProblem {
  readonly line_id: string | null;
  readonly message: string;
}

export type CombinedLines =
  | { readonly ok: true; readonly lines: StoredCartLine[] }
  | { readonly ok: false; readonly problems: readonly CartProblem[] };

/**
 * Makes lines that are the same into one: the first keeps its id and place, the quantities add up, the price is the
 * later one. The lines of a cart come before those that are new.
 */
export function combineLines(lines: readonly StoredCartLine[]): CombinedLines {
  const combined = new Map<string, StoredCartLine>();
  const problems: CartProblem[] = [];
  for (const line of lines) {
    const key = lineKey(line);
    const before = combined.get(key);
    const quantity = (before?.quantity ?? 0) + line.quantity;
    if (quantity > cartLimits.quantity) {
      const message = `A cart holds at most ${cartLimits.quantity} of one thing.`;
      problems.push({ line_id: line.id, message });
    }
    combined.set(key, { ...line, id: before?.id ?? line.id, quantity });
  }
  if (combined.size > cartLimits.lines) {
    problems.push({
      line_id: null,
      message: `A cart holds at most ${cartLimits.lines} different things.`,
    });
  }
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, lines: [...combined.values()] };
}

/** A cart that nobody has written yet. */
export function newCart(made: {
  id: string;
  customer_id: string | null;
  currency: Currency;
  now: Date;
}): Omit<StoredCart, "lines" | "coupon_code" | "version" | "updated_at" | "expires_at"> {
  const { now, ...identity } = made;
  const created_at = now.toISOString();
  return { ...identity, status: "active", order_id: null, email: null, created_at };
}

/** What a cart takes beside its lines, at most. */
const bytesAroundLines = 1_024;

/** Whether a cart of these lines can be stored. */
export function fitsStorage(lines: readonly StoredCartLine[]): boolean {
  return Buffer.byteLength(JSON.stringify(lines)) + bytesAroundLines <= cartLimits.bytes;
}

/** When a cart that is written now goes, unless it is written again. */
export function cartExpiry(now: Date, lifetimeDays: number): Timestamp {
  return new Date(now.getTime() + lifetimeDays * 86_400_000).toISOString();
}

/** When the pictures go of a cart that is written now: long enough after it that renewing them once a day will do. */
export const picturesKeptUntil = (now: Date, lifetimeDays: number): Timestamp =>
  cartExpiry(now, 2 * lifetimeDays);
