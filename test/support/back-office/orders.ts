import { openSettings } from "#shared/storage/settings/settings.ts";
import { aShop, silentLog } from "../shop/parts.ts";
import { randomUUID } from "node:crypto";
import type { StackEnvironment } from "#infra/local/stack.ts";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { patchShipment } from "#shared/application/order/save-shipment.ts";
import { cancelOrder } from "#shared/domain/order/status/cancel-order.ts";
import { expireOrder } from "#shared/domain/order/status/order-timers-after.ts";
import { moveOrder } from "#shared/domain/order/status/move-order.ts";
import type { OrderStatus } from "#shared/domain/order/status/order-states.ts";
import { prepareShipment } from "#shared/domain/order/shipment/prepare-shipment.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import type { Order } from "#shared/domain/order/view/buyer-order.ts";
import { type Transaction, charge } from "#shared/domain/payment/payment.ts";
import { receiveMoney } from "#shared/domain/payment/receive-money.ts";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { advanceOrder } from "#shared/application/payment/advance-order.ts";
import { beginPayment } from "#shared/application/payment/begin-payment.ts";
import { reconcileOrder } from "#shared/application/payment/reconcile-order.ts";
import { stepOrder } from "#shared/application/order/step-order.ts";
import { openStripe } from "#shared/payments/stripe-gateway.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { type PlantedProduct, aPublishedProduct, plantProduct, tableOf } from "../shop/plant.ts";
import { type Data, aPerson, aShopper } from "../shop/shopping.ts";
import { stripeAt } from "../emulators/stripe.ts";

/** The response of recording a payment or a refund. */
export type Booked = Data<{ order: AdminOrder; payment: Transaction; refunds: Transaction[] }>;

export interface DeskOrder extends Pick<PlantedProduct, "sku" | "stock" | "stock_id"> {
  readonly id: string;
  readonly number: string;
  readonly email: string;
  /** The id of the order's only line. */
  readonly line: string;
  readonly total: number;
  /** The price of the order's only line. */
  readonly lineTotal: number;
  /** The stored order. */
  read(): Promise<OrderRecord>;
}

export interface PaidOrder extends DeskOrder {
  /** The id of the order's payment at the gateway. */
  readonly payment: string;
}

export interface PlaceOptions {
  readonly quantity?: number;
  /** Units in stock. */
  readonly units?: number;
  readonly price?: number;
}

const byCarrier = {
  carrier: "Bluedart",
  tracking_number: "BD123",
  tracking_url: "https://track.example.com/BD123",
};

/** Creates separate orders in a running stack, in any state. */
export function orderDesk(baseUrl: string, environment: StackEnvironment) {
  const table = tableOf(environment);
  const desk = { table, orders: openOrders(table) };
  const stripe = stripeAt(environment.STRIPE_API_URL);
  const log = { error: () => undefined, warn: () => undefined };
  const gateway = openStripe({ ...emulatorKeys, endpoint: environment.STRIPE_API_URL, log });

  async function read(id: string): Promise<OrderRecord> {
    const record = await desk.orders.find(id);
    if (!record) throw new Error(`There is no order ${id}`);
    return record;
  }

  /** A guest's order of a separate product. */
  async function place(
    payment_method: Order["payment_method"],
    { quantity = 2, units = 10, price = 1_000_000 }: PlaceOptions = {},
  ): Promise<DeskOrder> {
    const { email, phone } = aPerson();
    const variants = aPublishedProduct().variants.map((variant) => ({ ...variant, price }));
    const product = await plantProduct(table, { units, variants });
    const shopper = await aShopper(baseUrl, [{ sku: product.sku, quantity }]);
    const { body, status, text } = await shopper.checkOut({ email, phone, payment_method });
    if (status !== 201) throw new Error(text);
    const { id, number, items, totals } = body.data.order;
    return {
      id,
      number,
      email,
      sku: product.sku,
      stock_id: product.stock_id,
      stock: product.stock,
      line: items[0]?.id ?? "",
      total: totals.grand_total,
      lineTotal: items[0]?.line_total ?? 0,
      read: () => read(id),
    };
  }

  /** Changes an order's status, as staff do. */
  async function move(id: string, to: OrderStatus): Promise<void> {
    const now = new Date();
    await stepOrder(desk, await read(id), now, (record, { newTransactionId }) => {
      const context = { now, newTransactionId, permissions: ["*"], completesAt: now.toISOString() };
      const outcome = moveOrder(record, to, context);
      if (outcome.kind !== "moved") throw new Error(`The move to ${to} is ${outcome.kind}`);
      return outcome.change;
    });
  }

  /** Pays at the gateway and waits until the order is updated. @returns the payment's id */
  async function pay({ id }: Pick<DeskOrder, "id">, method?: string): Promise<string> {
    const { payment } = await beginPayment(desk, await read(id), gateway, new Date());
    await stripe.pay(payment.clientSecret, method);
    const paid = await gateway.find(payment.id);
    if (paid) await reconcileOrder(desk, await read(id), paid, new Date());
    return payment.id;
  }

  return {
    table,
    stripe,
    place,
    /** Cancels the order as staff. */
    async cancel(id: string): Promise<void> {
      const now = new Date();
      await stepOrder(desk, await read(id), now, (record, context) => {
        const outcome = cancelOrder(record, "staff", context);
        return outcome.kind === "cancelled" ? outcome.change : undefined;
      });
    },
    /** Expires the order, as if 30 days had passed. */
    async expire(id: string): Promise<void> {
      const later = new Date(Date.now() + 30 * 86_400_000);
      await stepOrder(desk, await read(id), later, (record) => expireOrder(record, later));
    },
    /** Records a received bank transfer. */
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
      await stepOrder(desk, await read(id), now, (record, context) =>
        receiveMoney(record, arrived, context),
      );
    },
    /** Runs an order's scheduled check. */
    async advance(id: string): Promise<void> {
      const gateways = { configured: async () => gateway };
      const shop = aShop<Parameters<typeof advanceOrder>[0]>({
        table,
        gateways,
        settings: openSettings(table),
      });
      await advanceOrder(shop, id, new Date());
    },
    /** Opens a payment at the gateway, as the buyer's checkout does. */
    async begin({ id }: Pick<DeskOrder, "id">) {
      return (await beginPayment(desk, await read(id), gateway, new Date())).payment;
    },
    pay,
    /** An order that was paid by card. The gateway's webhooks are held, because they would also complete refunds. */
    async placePaid(options?: PlaceOptions, method?: string): Promise<PaidOrder> {
      const order = await place("gateway", options);
      await stripe.holdNext(order.id);
      return { ...order, payment: await pay(order, method) };
    },
    /** The number of successful refunds of a payment at the gateway. */
    async refunded(payment: string): Promise<number> {
      const calls = await stripe.calls(payment);
      return calls.filter(({ call, status }) => call === "refunds.create" && status === 200).length;
    },
    move,
    /** The carrier brings back everything that is on the way, and staff take it back. */
    async bringBack({ id }: Pick<DeskOrder, "id">): Promise<void> {
      const actor = { kind: "staff", id: "stf_test", session: "ses_test" } as const;
      const shop = { table, log: silentLog, settings: openSettings(table) };
      const steps = [
        { status: "delivery_failed" },
        { status: "returned_to_origin", then: "take_back" },
      ] as const;
      const { rows } = await read(id);
      for (const shipment of rows.shipments) {
        for (const step of steps) {
          const params = { id, shipment: shipment.id };
          const sent = { actor, requestId: randomUUID(), now: new Date(), params, headers: {} };
          await patchShipment({ ...sent, body: step }, await read(id), shop);
        }
      }
    },
    /** Ships units of the order's line as staff do, up to the step `until`. The dispatch creates the invoice. */
    async send(
      { id, line }: Pick<DeskOrder, "id" | "line">,
      quantity: number,
      until: "packed" | "out_for_delivery" | "delivered" = "out_for_delivery",
    ): Promise<void> {
      const now = new Date();
      const { order } = await read(id);
      if (order.status === "confirmed") await move(id, "ready_to_dispatch");
      const shipmentId = newId("shp", now);
      const items = [{ id: line, quantity }];
      await stepOrder(desk, await read(id), now, (record) => {
        const outcome = prepareShipment(record, { items, ...byCarrier }, { id: shipmentId, now });
        if (outcome.kind !== "changed") throw new Error(`The shipment is ${outcome.kind}`);
        return outcome.change;
      });
      const actor = { kind: "staff", id: "stf_test", session: "ses_test" } as const;
      const shop = { table, log: silentLog, settings: openSettings(table) };
      const states = ["packed", "out_for_delivery", "delivered"] as const;
      for (const status of states.slice(0, states.indexOf(until) + 1)) {
        const params = { id, shipment: shipmentId };
        const call = { actor, requestId: randomUUID(), now, params, headers: {}, body: { status } };
        await patchShipment(call, await read(id), shop);
      }
    },
  };
}

/** The `Idempotency-Key` header with a new key. */
export const aKey = (): { "idempotency-key": string } => ({ "idempotency-key": randomUUID() });
