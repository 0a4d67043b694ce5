import { randomUUID } from "node:crypto";
import type { StackEnvironment } from "#infra/local/stack.ts";
import { standInKeys } from "#infra/local/stripe/keys.ts";
import { cancelOrder } from "#shared/domain/cancel-order.ts";
import { lapseOrder } from "#shared/domain/lapse-order.ts";
import type { Order, OrderRecord, Shipment } from "#shared/domain/order.ts";
import type { Step } from "#shared/domain/order-change.ts";
import { changeOf, eachSku } from "#shared/domain/order-change.ts";
import { bySku } from "#shared/domain/order-pieces.ts";
import { type Transaction, charge } from "#shared/domain/payment.ts";
import { receiveMoney } from "#shared/domain/receive-money.ts";
import type { StaffOrder } from "#shared/domain/staff-order.ts";
import { dispatch } from "#shared/domain/stock.ts";
import { newId } from "#shared/domain/ids.ts";
import { advanceOrder } from "#shared/payments/advance-order.ts";
import { beginPayment } from "#shared/payments/begin-payment.ts";
import { settleOrder } from "#shared/payments/settle-order.ts";
import { stepOrder } from "#shared/payments/step-order.ts";
import { openStripe } from "#shared/payments/stripe-gateway.ts";
import { openOrders } from "#shared/storage/orders.ts";
import { type PlantedProduct, plantProduct, tableOf } from "./plant.ts";
import { type Data, aPerson, aShopper } from "./shopping.ts";
import { stripeAt } from "./stripe.ts";

/** What booking a payment or a refund answers. */
export type Booked = Data<{ order: StaffOrder; payment: Transaction; refunds: Transaction[] }>;

export interface DeskOrder extends Pick<PlantedProduct, "sku" | "stock"> {
  readonly id: string;
  readonly number: string;
  readonly email: string;
  /** Id of its only line. */
  readonly line: string;
  readonly total: number;
  /** What its line costs. */
  readonly lineTotal: number;
  /** As it is stored now. */
  read(): Promise<OrderRecord>;
}

export interface PaidOrder extends DeskOrder {
  /** The gateway's id of its payment. */
  readonly payment: string;
}

export interface PlaceOptions {
  readonly quantity?: number;
  /** In stock. */
  readonly pieces?: number;
  readonly price?: number;
}

/** Orders of a test's own in a running stack, in whatever state the test needs them. */
export function orderDesk(baseUrl: string, environment: StackEnvironment) {
  const table = tableOf(environment);
  const desk = { table, orders: openOrders(table) };
  const stripe = stripeAt(environment.STRIPE_API_URL);
  const log = { error: () => undefined };
  const gateway = openStripe({ ...standInKeys, endpoint: environment.STRIPE_API_URL, log });

  async function read(id: string): Promise<OrderRecord> {
    const record = await desk.orders.find(id);
    if (!record) throw new Error(`There is no order ${id}`);
    return record;
  }

  /** An order of some pieces of a product of its own, placed by a guest. */
  async function place(
    payment_method: Order["payment_method"],
    { quantity = 2, pieces = 10, price = 1_000_000 }: PlaceOptions = {},
  ): Promise<DeskOrder> {
    const { email, phone } = aPerson();
    const base = await plantProduct(table, { pieces });
    const variants = base.product.variants.map((variant) => ({ ...variant, price }));
    const product = price === 1_000_000 ? base : await plantProduct(table, { pieces, variants });
    const shopper = await aShopper(baseUrl, [{ sku: product.sku, quantity }]);
    const { body, status, text } = await shopper.checkOut({ email, phone, payment_method });
    if (status !== 201) throw new Error(text);
    const { id, number, items, totals } = body.data.order;
    return {
      id,
      number,
      email,
      sku: product.sku,
      stock: product.stock,
      line: items[0]?.id ?? "",
      total: totals.grand_total,
      lineTotal: items[0]?.line_total ?? 0,
      read: () => read(id),
    };
  }

  /** One step by a rule of the test's own. */
  async function step(id: string, of: (record: OrderRecord) => Step): Promise<void> {
    const now = new Date();
    await stepOrder(desk, id, now, (record) => changeOf(record, of(record), now));
  }

  /** Pays at the gateway, and sees to it that the order knows. @returns the payment's id */
  async function pay({ id }: Pick<DeskOrder, "id">, method?: string): Promise<string> {
    const { payment } = await beginPayment(desk, await read(id), gateway, new Date());
    await stripe.pay(payment.clientSecret, method);
    const paid = await gateway.find(payment.id);
    if (paid) await settleOrder(desk, id, paid, new Date());
    return payment.id;
  }

  return {
    table,
    stripe,
    place,
    step,
    /** Staff cancel it. */
    async cancel(id: string): Promise<void> {
      const now = new Date();
      await stepOrder(desk, id, now, (record, given) => {
        const outcome = cancelOrder(record, "staff", given);
        return outcome.kind === "cancelled" ? outcome.change : undefined;
      });
    },
    /** Time passes until it lapses. */
    async lapse(id: string): Promise<void> {
      const later = new Date(Date.now() + 30 * 86_400_000);
      await stepOrder(desk, id, later, (record) => lapseOrder(record, later));
    },
    /** A transfer arrives. */
    async receive(id: string, amount: number): Promise<void> {
      const now = new Date();
      const arrived = charge({
        id: newId("txn", now),
        state: "succeeded",
        amount,
        method: "bank_transfer",
        provider_ref: randomUUID(),
        at: now.toISOString(),
      });
      await stepOrder(desk, id, now, (record, given) => receiveMoney(record, arrived, given));
    },
    /** Has an order looked at, as the schedule does. */
    async advance(id: string): Promise<void> {
      const deps = { ...desk, gateway: async () => gateway, completedAfterDays: async () => 7 };
      await advanceOrder(deps, id, new Date());
    },
    /** Opens a payment at the gateway, as the buyer's checkout does. */
    async begin({ id }: Pick<DeskOrder, "id">) {
      return (await beginPayment(desk, await read(id), gateway, new Date())).payment;
    },
    pay,
    /** An order that was paid by card. What the gateway tells of it by itself is kept back: it would settle refunds, too. */
    async placePaid(options?: PlaceOptions, method?: string): Promise<PaidOrder> {
      const order = await place("gateway", options);
      await stripe.hold(order.id);
      return { ...order, payment: await pay(order, method) };
    },
    /** How often the gateway was asked to give back of a payment, and said yes. */
    async givenBack(payment: string): Promise<number> {
      const calls = await stripe.calls(payment);
      return calls.filter(({ call, status }) => call === "refunds.create" && status === 200).length;
    },
    /** Sends pieces of the order's line, as far as `status`. */
    async send(
      { id, line }: Pick<DeskOrder, "id" | "line">,
      quantity: number,
      status: Shipment["status"] = "out_for_delivery",
    ): Promise<void> {
      const at = new Date().toISOString();
      const shipment: Shipment = {
        id: newId("shp", new Date()),
        status,
        items: [{ id: line, quantity }],
        carrier: "Bluedart",
        tracking_number: "BD123",
        tracking_url: "https://track.example.com/BD123",
        dispatched_at: at,
        delivered_at: status === "delivered" ? at : null,
      };
      const { order } = await read(id);
      if (order.status === "confirmed") {
        await step(id, () => ({ set: { status: "ready_to_dispatch" } }));
      }
      await step(id, (record) => ({
        set: { status: "shipped" },
        shipments: [shipment],
        stock: eachSku(bySku(record, shipment.items), dispatch),
        tells: [{ type: "order_shipped", order_id: id, shipment_id: shipment.id }],
      }));
    },
  };
}

/** A key that was never used. */
export const aKey = (): { "idempotency-key": string } => ({ "idempotency-key": randomUUID() });
