import { dayIn, plusDays } from "../../base/day.ts";
import { roundHalfEven } from "../../base/money.ts";
import type { Problem } from "../../base/names.ts";
import type { LeadTime } from "../../catalog/availability.ts";
import { type DeliveryWindow, ratesIn } from "../../delivery/shipping.ts";
import { slotZoneNamed } from "../../delivery/slot-zone.ts";
import { taxOf } from "../../pricing/tax.ts";
import type { Settings } from "../../settings/settings.ts";
import type { ShippingMethodSettings } from "../../settings/shipping-settings.ts";
import { slotIsFree } from "../edit/slot-choice.ts";
import { type OrderValue, valueAfter } from "../ledger/order-value.ts";
import type { Step } from "../order-step.ts";
import {
  type OrderItem,
  type OrderRecord,
  type StoredOrder,
  isCollected,
  isInTheMaking,
} from "../order.ts";
import { isBeforeDispatch } from "../status/order-states.ts";
import type { ChangeInput } from "./change-input.ts";

export type DeliveryPlanning =
  /** The change names no delivery. */
  | { readonly kind: "same" }
  /** Something of the order was sent. */
  | { readonly kind: "dispatched" }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] }
  | {
      readonly kind: "other";
      readonly step: Pick<Step, "shipping" | "set" | "entries">;
      /** Whether it costs less than the delivery before it, or than its own method's price of the day. */
      readonly isCheaper: boolean;
    };

interface DeliveryContext {
  /** What else the change does. */
  readonly units: Parameters<typeof valueAfter>[1];
  readonly settings: Pick<Settings, "shipping" | "store">;
  readonly now: Date;
}

/**
 * Plans another method or price of an order's delivery. By default a method costs what the shop asks for it now, without
 * the order's coupon. The delivery keeps its tax rates. A slot that the buyer could choose stays only if the new method
 * has slots, one that staff planned unless the buyer collects the order.
 *
 * @param record with the lines that the change adds
 */
export function planDelivery(
  record: OrderRecord,
  { shipping_method: named, shipping: price }: Pick<ChangeInput, "shipping_method" | "shipping">,
  { units, settings, now }: DeliveryContext,
): DeliveryPlanning {
  const { order } = record;
  if (named === undefined && price === undefined) return { kind: "same" };
  if (order.status !== "pending_payment" && !isBeforeDispatch(order.status)) {
    return { kind: "dispatched" };
  }
  const value = valueAfter(record, units);
  const methods =
    settings.shipping.zones.find(({ code }) => code === order.shipping.zone)?.methods ?? [];
  const method = methods.find(({ code }) => code === named);
  if (named !== undefined && !method) {
    const offered = methods.map(({ code }) => code).join(", ");
    return refused("shipping_method", `The order's delivery zone offers: ${offered || "nothing"}.`);
  }
  const rate = method && rateOf(method, order, value);
  const amount = price ?? rate;
  if (amount === undefined) {
    return refused("shipping", "The order exceeds what this method has a price for. Set a price.");
  }
  const isOther = method !== undefined && method.code !== order.shipping.method;
  if (!isOther && amount === value.shipping) {
    const path = named === undefined ? "shipping" : "shipping_method";
    return refused(path, "The order already has this delivery at this price.");
  }
  const { code } = method ?? { code: order.shipping.method };
  const tax = taxOf(amount, order.shipping.tax_components, { inclusive: true });
  const planned = isOther ? withMethod(record, method, value, { settings, now }) : {};
  return {
    kind: "other",
    isCheaper: amount < Math.max(value.shipping, (isOther && rate) || 0),
    step: {
      shipping: { method: code, amount },
      entries: order.slot && planned.slot === null ? [slotIsGivenBack] : [],
      set: {
        ...planned,
        shipping: { ...(planned.shipping ?? order.shipping), tax_components: tax.components },
      },
    },
  };
}

const refused = (path: string, message: string): DeliveryPlanning => ({
  kind: "refused",
  problems: [{ path, message }],
});

const slotIsGivenBack = {
  ...slotIsFree,
  message: "Your delivery time is no longer reserved, because the delivery has changed.",
};

/**
 * What the method costs for the units that count; undefined if they exceed all of its bands. Whether it may carry them
 * is for staff to judge.
 */
function rateOf(
  method: ShippingMethodSettings,
  { items }: StoredOrder,
  { lines }: OrderValue,
): number | undefined {
  const counted = items.map((item) => ({ ...item, units: lines.get(item.id)?.units ?? 0 }));
  const [rate] = ratesIn(
    { methods: [method] },
    {
      consignments: counted.map((item) => ({
        ...item,
        quantity: item.units,
        delivery_classes: [],
      })),
      itemsTotal: counted.reduce((sum, item) => sum + netOf(item, item.units), 0),
      free: false,
    },
  );
  return rate?.amount;
}

/** What units of a line cost after discounts, as free delivery counts it. */
const netOf = ({ line_subtotal, line_discount, quantity }: OrderItem, units: number): number =>
  roundHalfEven(BigInt(line_subtotal - line_discount) * BigInt(units), quantity);

function withMethod(
  { order }: OrderRecord,
  method: ShippingMethodSettings,
  { lines }: OrderValue,
  { settings, now }: Pick<DeliveryContext, "settings" | "now">,
): Partial<Pick<StoredOrder, "shipping" | "slot" | "offers_slot">> {
  const { code, label, includes } = method;
  const { zone } = order.shipping;
  const offers_slot = slotZoneNamed(settings.shipping, { zone, method: code }) !== null;
  const items = order.items.filter(({ id }) => (lines.get(id)?.units ?? 0) > 0);
  const promised = promisedBy({ ...order, items }, method, settings.store, now);
  const shipping = { ...order.shipping, method: code, label, includes, promised };
  const losesSlot = isCollected({ shipping }) || (order.offers_slot && !offers_slot);
  return { shipping, offers_slot, ...(losesSlot && { slot: null }) };
}

/** When the goods arrive by the method: they are ready as many days after they were ordered as they need. */
function promisedBy(
  { status, placed_at, items }: Pick<StoredOrder, "status" | "placed_at" | "items">,
  { transit_days }: ShippingMethodSettings,
  { timezone }: Pick<Settings["store"], "timezone">,
  now: Date,
): DeliveryWindow {
  const awaited = status === "ready_to_dispatch" ? items.filter(isInTheMaking) : items;
  const leaves = (bound: keyof LeadTime) =>
    awaited
      .map(({ added_at, lead_time }) =>
        plusDays(dayIn(timezone, new Date(added_at ?? placed_at)), lead_time[bound]),
      )
      .reduce((last, day) => (day > last ? day : last), dayIn(timezone, now));
  return {
    min_on: plusDays(leaves("min_days"), transit_days.min),
    max_on: plusDays(leaves("max_days"), transit_days.max),
  };
}
