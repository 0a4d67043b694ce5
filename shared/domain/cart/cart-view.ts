import { mostShown, publicStock } from "../catalog/availability.ts";
import type { Cart, CartItem, CartWarning, Requirement, StoredCart } from "./cart.ts";
import type { CatalogFacts } from "./cart-lines.ts";
import type { ResolvedLine } from "./bare-line.ts";
import type { Misfit, SlotReading } from "../delivery/slot-hold.ts";
import { type LineAmounts, type PricedLine, identityOf } from "../pricing/priced-line.ts";
import { stockIdOf, canChange, reserve, type Stock, unitsByStock } from "../catalog/stock.ts";
import { paymentPlans } from "../pricing/payment-plans.ts";
import type { Pricing } from "../pricing/totals.ts";

/** A line with insufficient stock. */
export interface Shortage {
  readonly line: PricedLine;
  /** The available quantity, at most the maximum that the public sees. */
  readonly available: number;
  readonly message: string;
}

/** The shortage of a line, with its message. */
export function shortageOf(
  line: PricedLine,
  stock: Pick<Stock, "available"> | undefined,
): Shortage {
  return { line, available: publicStock(stock), message: sentence(line.name, stock?.available) };
}

function sentence(name: string, available = 0): string {
  if (available <= 0) return `${name} is out of stock.`;
  if (available === 1) return `Only 1 of ${name} is left.`;
  if (available <= mostShown) return `Only ${available} of ${name} are left.`;
  return `There are not enough units of ${name}.`;
}

/** The lines that exceed the stock. Lines of the same item are added up. */
export function shortages(lines: readonly PricedLine[], stock: CatalogFacts["stock"]): Shortage[] {
  const units = unitsByStock(lines);
  return lines.flatMap((line) => {
    const id = stockIdOf(line);
    if (id === null) return [];
    const row = stock.get(id);
    const covered = row !== undefined && canChange(row, reserve(units.get(id) ?? 0));
    return covered ? [] : shortageOf(line, row);
  });
}

/** What is to be sold, completed with the current catalog data and priced. */
export interface SaleReading {
  readonly currency: string;
  readonly lines: readonly ResolvedLine[];
  readonly stock: CatalogFacts["stock"];
  readonly pricing: Pricing;
  readonly slot: SlotReading;
}

export interface CartReading extends SaleReading {
  /** Null if the caller has no cart. */
  readonly cart: StoredCart | null;
}

/** What prevents an order: invalid or unavailable lines, then shortages, the coupon, the delivery and its time. */
export function requirementsOf(reading: SaleReading): Requirement[] {
  const { lines, stock, pricing } = reading;
  const own = lines.flatMap(({ requirement }) => requirement ?? []);
  const short = shortages(sellable(lines), stock).map(({ line, message }): Requirement => ({
    code: "insufficient_stock",
    message,
    item_id: line.id,
  }));
  const { coupon, delivery_problem } = pricing;
  const undeliverable = delivery_problem ? [{ ...delivery_problem, item_id: null }] : [];
  const refused: Requirement[] =
    coupon?.valid === false
      ? [{ code: "coupon_invalid", message: coupon.message, item_id: null }]
      : [];
  const untimed = slotRequirement(reading.slot) ?? [];
  return [...own, ...short, ...refused, ...undeliverable].concat(untimed);
}

/** What is wrong with the cart's delivery time; null if nothing is. */
function slotRequirement(slot: SlotReading): Requirement | null {
  switch (slot.kind) {
    case "none":
    case "held":
    case "wished":
      return null;
    case "required":
      return { code: "slot_required", message: "Choose a delivery time.", item_id: null };
    case "expired":
      return {
        code: "slot_expired",
        message: "The chosen delivery time is no longer held for you. Please choose again.",
        item_id: null,
      };
    case "misplaced":
      return { code: "slot_taken", message: ofMisfit[slot.misfit], item_id: null };
  }
}

const ofMisfit: Readonly<Record<Misfit, string>> = {
  no_slots:
    "No delivery time can be chosen for this address and delivery method, so release the one that the cart holds.",
  made_to_order:
    "An item is made to order and gets its delivery day when the order is ready, so release the delivery time that " +
    "the cart holds.",
  elsewhere:
    "The chosen delivery time is for another address or delivery method, so choose one for this delivery.",
  too_early: "The order cannot be ready by the chosen delivery time, so choose a later one.",
};

/** The lines that can be bought if there is enough stock. */
export function sellable(lines: readonly ResolvedLine[]): PricedLine[] {
  return lines.flatMap(({ line, requirement }) => (requirement ? [] : line));
}

/** The cart as its owner sees it. */
export function cartView(reading: CartReading): Cart {
  const { cart, currency, lines, pricing } = reading;
  const items = lines.map(({ line }, index) => cartItem(line, pricing.lines[index]!.amounts));
  const requirements = requirementsOf(reading);
  return {
    id: cart?.id ?? null,
    currency,
    items,
    item_count: items.reduce((sum, { quantity }) => sum + quantity, 0),
    coupon: couponOf(reading),
    totals: pricing.totals,
    payment_plans: paymentPlans(pricing.totals.grand_total, pricing.deposit),
    slot: slotIn(reading.slot),
    requirements,
    warnings: warningsOf(items, requirements),
    version: cart?.version ?? 0,
    expires_at: cart?.expires_at ?? null,
  };
}

function slotIn(slot: SlotReading): Cart["slot"] {
  if (!("slot" in slot)) return null;
  const { method: _method, ...chosen } = slot.slot;
  return { ...chosen, held_until: slot.hold.until };
}

function couponOf({ cart, pricing: { coupon } }: CartReading): Cart["coupon"] {
  if (!cart?.coupon_code || !coupon) return null;
  const reason = coupon.valid ? null : coupon.reason;
  return { code: cart.coupon_code, valid: coupon.valid, reason };
}

function warningsOf(
  items: readonly CartItem[],
  requirements: readonly Requirement[],
): CartWarning[] {
  return items.flatMap(({ id, name, availability, price_changed }) => {
    const warnings: CartWarning[] = [];
    const warn = (code: CartWarning["code"], message: string) =>
      warnings.push({ code, message, item_id: id });
    if (price_changed) warn("price_changed", `The price of ${name} has changed.`);
    if (requirements.some(({ item_id }) => item_id === id)) return warnings;
    if (availability === "low_stock") warn("low_stock", `Only a few units of ${name} are left.`);
    if (availability === "backorder") warn("backorder", `${name} ships once it is back in stock.`);
    return warnings;
  });
}

/** A line as the cart's owner sees it. */
export function cartItem(line: PricedLine, amounts: LineAmounts): CartItem {
  return {
    ...identityOf(line),
    ...amounts,
    upload_ids: [...line.upload_ids],
    note: line.note,
    availability: line.availability.state,
    lead_time: line.availability.lead_time,
    price_changed:
      line.last_price === line.unit_price ? null : { from: line.last_price, to: line.unit_price },
  };
}
