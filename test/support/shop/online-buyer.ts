import type { StackEnvironment } from "#infra/local/stack.ts";
import type { Coupon } from "#shared/domain/pricing/coupon.ts";
import type { CheckoutAnswer, ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { CouponUses } from "#shared/storage/pricing/coupons.ts";
import { scheduleCheck } from "#shared/storage/order/due-orders.ts";
import { Orders, openOrders } from "#shared/storage/order/orders.ts";
import { update } from "#shared/storage/writes.ts";
import type { Reply } from "../http/client.ts";
import { type PlantedProduct, plantCoupon, plantProduct, tableOf } from "./plant.ts";
import type { Problem } from "../http/problem.ts";
import { type Data, aPerson, aShopper } from "./shopping.ts";
import { stripeAt } from "../emulators/stripe.ts";
import { awaits } from "../stack/effects.ts";

type Answer = Promise<Reply<Data<ConfirmAnswer> & Problem>>;

/** A buyer with a separate order of two units and a coupon that no other test uses. */
export interface Buyer {
  readonly id: string;
  readonly placed: CheckoutAnswer;
  readonly product: PlantedProduct;
  /** The client secret of the gateway payment; empty without a payment. */
  readonly secret: string;
  readonly paymentId: string;
  confirm(headers?: Record<string, string>): Answer;
  payBy(payment_method: string, headers?: Record<string, string>): Answer;
  /** Repeats the checkout. */
  again(): Promise<Reply<Data<CheckoutAnswer> & Problem>>;
  /** Holds the gateway's webhooks of the order from now on, after earlier ones have arrived. */
  holdWebhooks(): Promise<void>;
  read(): Promise<OrderRecord>;
  /** The number of uses of the coupon. */
  couponUses(): Promise<number>;
  /** Runs the order's scheduled check now. */
  runScheduledCheck(): Promise<void>;
  /** Lets the order expire. */
  expireOrder(): Promise<void>;
}

export interface Buying {
  units?: number;
  payment_method?: string;
  coupon?: Partial<Coupon>;
  /** Runs before the order is placed. `about` is a text in the order's calls to the gateway. */
  before?(about: string): Promise<void>;
  product?: PlantedProduct;
}

/** Buyers in a running stack. */
export function onlineBuyers(baseUrl: string, environment: StackEnvironment) {
  const table = tableOf(environment);
  const orders = openOrders(table);
  const stripe = stripeAt(environment.STRIPE_API_URL);

  async function buy(buying: Buying = {}): Promise<Buyer> {
    const { units = 10, payment_method = "gateway" } = buying;
    const product = buying.product ?? (await plantProduct(table, { units }));
    const { code } = await plantCoupon(table, { max_uses: 5, ...buying.coupon });
    const shopper = await aShopper(baseUrl, [{ sku: product.sku, quantity: 2 }], code);
    const { email, phone } = aPerson();
    await buying.before?.(email.slice(0, email.indexOf("@")));
    const checkOut = () => shopper.checkOut({ email, phone, payment_method });
    const { status, body, text } = await checkOut();
    if (status !== 201) throw new Error(text);
    const { order, payment } = body.data;
    const { id } = order;
    const secret =
      payment.action.type === "stripe_payment_intent" ? payment.action.client_secret : "";
    const ask = (path: string, sent: object, headers: Record<string, string>): Answer =>
      shopper.client.post(`/checkout/${id}/${path}`, sent, headers);
    const dueNow = () => scheduleCheck(id, new Date(Date.now() - 1).toISOString());
    return {
      id,
      placed: body.data,
      product,
      secret,
      paymentId: secret.replace(/_secret_.*$/, ""),
      confirm: (headers = shopper.headers) => ask("confirm", {}, headers),
      payBy: (method, headers = shopper.headers) =>
        ask("payment", { payment_method: method }, headers),
      again: checkOut,
      holdWebhooks: () => stripe.holdNext(id),
      async read() {
        const record = await orders.find(id);
        if (!record) throw new Error(`There is no order ${id}`);
        return record;
      },
      couponUses: async () => (await table.get(CouponUses, { code, by: "all" }))?.uses ?? 0,
      async runScheduledCheck() {
        awaits("due-orders");
        await table.write(dueNow());
      },
      async expireOrder() {
        awaits("due-orders");
        const expires_at = new Date(Date.now() - 1_000).toISOString();
        await table.transact([update(Orders, { id }, { set: { expires_at } }), dueNow()]);
      },
    };
  }

  return { table, stripe, buy };
}

/** The order without ids and times. It is equal for orders with the same history. */
export function storyOf({ order, rows }: OrderRecord) {
  const transactions = rows.transactions.map(
    ({ type, state, amount, method, reason }) =>
      `${type} ${state} ${amount} ${method} ${reason ?? ""}`,
  );
  return {
    status: order.status,
    payment_status: order.payment_status,
    paid: order.paid,
    refunded: order.refunded,
    attention: order.attention.map(({ code }) => code),
    transactions: transactions.toSorted(),
    timeline: rows.timeline.map(({ type, message }) => ({ type, message })),
  };
}
