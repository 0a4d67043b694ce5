import {
  cameBack,
  awaitsSendBack,
  isOpenReturn,
  type OrderReturn,
} from "../order/returns/order-return.ts";
import {
  type OrderItem,
  type OrderRecord,
  type Shipment,
  type StoredOrder,
  isSmokeOrder,
} from "../order/order.ts";
import type { Day } from "../base/text.ts";
import { type Tally, metricOf, rowName, topicRows, sumOf, type Metrics } from "./metrics.ts";
import { valueOf } from "../order/ledger/order-value.ts";
import { type OrderStatus, isBeforeDispatch, isUnfulfilled } from "../order/status/order-states.ts";
import { amountDue } from "../payment/owing.ts";
import { paymentSchedule } from "../payment/payment-schedule.ts";
import { dayIn } from "../base/day.ts";

/** The returns of an order that still need somebody. */
const openReturnTally = ({ rows }: OrderRecord): Tally =>
  sumOf(...rows.returns.map((found) => ({ [rowName("standing", "now")]: workOn(found) })));

const workOn = (found: OrderReturn) => ({
  ...(isOpenReturn(found.status) && { [`returns_${found.status}`]: 1 }),
  ...(awaitsSendBack(found) && { returns_to_send_back: 1 }),
});

/** The product or sofa that a line sells; "" for a line that is no item of the catalog, which counts among the others. */
const catalogIdOf = ({ product_id, sofa_id }: OrderItem): string => product_id ?? sofa_id ?? "";

/**
 * The sold units of an order that came back by returns, divided by reason, fault and product. They count on the day of
 * the sale, so that what a period's sales have lost is a part of its sales.
 */
function returnedTally({ order, rows }: OrderRecord, day: Day): Tally {
  const sold = new Map(
    order.items.filter(({ change_id }) => change_id === null).map((item) => [item.id, item]),
  );
  const returned = rows.returns.flatMap(({ items }) => items);
  return sumOf(
    ...returned.flatMap(({ id, reason, fault, inspection }): Tally[] => {
      const item = sold.get(id);
      const units = cameBack(inspection);
      if (!item || units === 0) return [];
      const product = catalogIdOf(item);
      const divided = {
        returned: units,
        [metricOf("returnedFor", reason)]: units,
        [metricOf("returnedBy", fault)]: units,
      };
      return [
        { [rowName("sales", day)]: divided },
        ...topicRows("products", day).map((row) => ({
          [row]: { [metricOf("returned", product)]: units },
        })),
      ];
    }),
  );
}

/** Statuses in which an order is not, or not yet, a sale. */
const unsold: ReadonlySet<OrderStatus> = new Set(["pending_payment", "expired", "cancelled"]);

/**
 * The current tally of an order. A confirmed order counts as a sale on the day it was placed. A cancelled order does
 * not count. Payments, refunds and deliveries count on their own day, separately from revenue. Orders of smoke tests do
 * not count.
 */
export function orderTally({ order, rows }: OrderRecord, timezone: string): Tally {
  if (isSmokeOrder(order)) return {};
  const day = dayIn(timezone, new Date(order.placed_at));
  const isSale = !unsold.has(order.status);
  const due = amountDue(order);
  const settled = rows.transactions.filter(
    ({ type, state }) => type !== "dispute" && state === "succeeded",
  );
  return sumOf(
    { [rowName("standing", "now")]: { [`orders_${order.status}`]: 1, ...unpaid(due) } },
    { [rowName("sales", day)]: { placed: 1, ...unpaid(due) } },
    ...(isSale
      ? [
          saleTally(order, day),
          ...changeTallies({ order, rows }, timezone),
          returnedTally({ order, rows }, day),
        ]
      : []),
    ...(order.status === "cancelled"
      ? [{ [rowName("sales", day)]: { cancelled: 1, cancelled_amount: order.totals.grand_total } }]
      : []),
    ...settled.map(({ type, at, amount, received_on }) => ({
      [rowName("sales", received_on ?? dayIn(timezone, new Date(at)))]:
        type === "charge"
          ? { received: amount }
          : { refunds_paid: amount, ...(isSale && { refunded: amount }) },
    })),
    depositTally({ order, rows }, timezone),
    openReturnTally({ order, rows }),
    ...rows.shipments.map((shipment) => deliveryTally(shipment, timezone)),
  );
}

/** A delivery in a slot, on the day when it arrived. */
function deliveryTally({ slot, delivered_at }: Shipment, timezone: string): Tally {
  if (!slot || delivered_at === null) return {};
  const day = dayIn(timezone, new Date(delivered_at));
  const metrics = { slot_deliveries: 1, slot_deliveries_on_day: day === slot.date ? 1 : 0 };
  return { [rowName("sales", day)]: metrics };
}

/** A deposit that the shop holds, and the balance that is missing, on the day when the deposit was paid. */
function depositTally(record: OrderRecord, timezone: string): Tally {
  const { order } = record;
  const paidAt = order.deposit && paymentSchedule(record)[0]?.paid_at;
  if (!order.deposit || !paidAt || isUnfulfilled(order.status)) return {};
  const kept = Math.min(order.paid - order.refunded, order.deposit.amount);
  const held = isBeforeDispatch(order.status) ? Math.max(0, kept) : 0;
  const due = amountDue(order);
  const amounts = {
    ...(held > 0 && { deposits_held: held }),
    ...(due > 0 && { balances_due: due }),
  };
  return {
    [rowName("sales", dayIn(timezone, new Date(paidAt)))]: amounts,
    [rowName("standing", "now")]: {
      ...amounts,
      ...(held > 0 && { deposits_held_orders: 1 }),
      ...(due > 0 && { balances_due_orders: 1 }),
    },
  };
}

/** What each change has added to the order and taken off it, on the day of the change. */
function changeTallies({ order, rows }: OrderRecord, timezone: string): Tally[] {
  const { changes } = rows;
  const later = new Map(changes.map(({ id }, position) => [id, position + 1]));
  const worthAfter = (count: number) =>
    valueOf({
      order: { ...order, items: order.items.filter((item) => addedBy(item, later) <= count) },
      rows: { changes: changes.slice(0, count) },
    });
  return changes.map(({ id, at, shipping }, position) => {
    const [before, after] = [worthAfter(position), worthAfter(position + 1)];
    const lines = order.items.filter(({ change_id }) => change_id === id);
    const dearer = shipping ? Math.max(0, after.shipping - before.shipping) : 0;
    const changes_added = lines.reduce((sum, { line_total }) => sum + line_total, dearer);
    const changes_lowered = changes_added - (after.goods - before.goods);
    return {
      [rowName("sales", dayIn(timezone, new Date(at)))]: {
        ...(changes_added > 0 && { changes_added }),
        ...(changes_lowered > 0 && { changes_lowered }),
      },
    };
  });
}

/** With how many changes a line was there; 0 if it was ordered at checkout. */
const addedBy = ({ change_id }: OrderItem, later: ReadonlyMap<string, number>): number =>
  change_id === null ? 0 : (later.get(change_id) ?? 0);

const unpaid = (due: number) => (due > 0 ? { unpaid: 1, unpaid_amount: due } : {});

/** The sale, counted by how, where and by whom the order was sold. */
function dividedSale({ channel, location, sold_by, totals }: StoredOrder): Metrics {
  const divisions = [
    ["channel", channel],
    ["location", location],
    ["seller", sold_by],
  ] as const;
  return Object.fromEntries(
    divisions.flatMap(([by, name]) =>
      name === null
        ? []
        : [
            [metricOf(`${by}Orders`, name), 1],
            [metricOf(`${by}Revenue`, name), totals.grand_total],
          ],
    ),
  );
}

function saleTally(order: StoredOrder, day: string): Tally {
  const { totals, items: all } = order;
  const items = all.filter(({ change_id }) => change_id === null);
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const { grand_total: revenue, discount, tax, shipping } = totals;
  const sale = { orders: 1, revenue, discount, tax, shipping, units, ...dividedSale(order) };
  return sumOf(
    { [rowName("sales", day)]: sale },
    ...items.flatMap((item) => {
      const { quantity, line_total } = item;
      const id = catalogIdOf(item);
      const metrics = {
        [metricOf("sold", id)]: quantity,
        [metricOf("revenue", id)]: line_total,
      };
      return topicRows("products", day).map((row) => ({ [row]: metrics }));
    }),
  );
}
