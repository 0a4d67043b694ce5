import { ownSale } from "#shared/domain/base/sales-channel.ts";
import type { StoredOrder, OrderRecord } from "#shared/domain/order/order.ts";
import { type OrderTerms, isFinal } from "#shared/domain/checkout/final-pricing.ts";
import { type OrderDraft, orderFrom } from "#shared/domain/checkout/order-draft.ts";
import { priceCart, type PricingRequest } from "#shared/domain/pricing/totals.ts";
import {
  aPricedLine,
  aPricing,
  aStoredCart,
  anAddress,
  anId,
  noon,
  someSettings,
} from "./commerce.ts";
import type { StackEnvironment } from "#infra/local/stack.ts";
import type { CheckoutAnswer, ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import { openOrders, Orders } from "#shared/storage/order/orders.ts";
import type { Reply } from "../http/client.ts";
import type { Problem } from "../http/answers.ts";
import { plantSofa, tableOf, type PlantedProduct, plantCoupon, plantProduct } from "./plant.ts";
import { type Data, type Shopper, aPerson, aShopper } from "./shopping.ts";
import type { Coupon } from "#shared/domain/pricing/coupon.ts";
import { CouponUses } from "#shared/storage/pricing/coupons.ts";
import { scheduleCheck } from "#shared/storage/order/due-orders.ts";
import { update } from "#shared/storage/writes.ts";
import { stripeAt } from "../emulators/stripe.ts";
import { awaits } from "../stack/effects.ts";

type Request = Partial<StoredOrder["customer"] & Pick<OrderTerms, "payment_method">>;

/** A guest's cart that becomes an order, by default to be paid by bank transfer. */
export function aDraft(
  { payment_method = "bank_transfer", ...customer }: Request = {},
  pricing: Partial<PricingRequest> = {},
): OrderDraft {
  const { lines = [aPricedLine()] } = pricing;
  const cart = aStoredCart();
  const record = pricing.coupon?.coupon ?? undefined;
  const buyer = { name: "Asha Rao", email: "asha@example.com", phone: "+919812345678" };
  return {
    currency: cart.currency,
    lines: lines.map((line) => ({ line, requirement: null })),
    stock: new Map(),
    pricing: priceCart(aPricing({ ...pricing, lines })),
    slot: { kind: "none" },
    buyer: {
      customer: { id: cart.customer_id, ...buyer, ...customer },
      access_token_hash: "hash",
      tax_id: null,
      note: null,
      marketing_opt_in: false,
    },
    delivery: { addresses: { shipping: anAddress(), billing: anAddress() }, method: "standard" },
    payments: [],
    terms: { payment_method, payment_plan: "full", sale: ownSale },
    coupon: record ? { code: record.code, record, isPromised: false } : null,
    converts: { cart_id: cart.id, quotes: [] },
  };
}

/** What checkout creates with an order, by default to be paid by bank transfer. */
export function aPlacement(...overrides: Parameters<typeof aDraft>): ReturnType<typeof orderFrom> {
  const draft = aDraft(...overrides);
  const { pricing } = draft;
  if (!isFinal(pricing)) throw new Error("The pricing of a placed order must be final.");
  return orderFrom(draft, {
    id: anId("ord"),
    number: "FS-7K3M-92QX-4HT8",
    pricing,
    counted: { buyers: [], open: [], coupon: [] },
    slot: null,
    settings: someSettings(),
    now: noon,
  });
}

/** An order as checkout creates it, by default to be paid by bank transfer. */
export const aPlacedOrder = (...overrides: Parameters<typeof aPlacement>): StoredOrder =>
  aPlacement(...overrides).order;

/** A guest's order of a sofa that is made to order, placed with a deposit. */
export interface OrderInParts {
  readonly id: string;
  readonly email: string;
  readonly total: number;
  readonly deposit: number;
  readonly placed: CheckoutAnswer;
  readonly shopper: Shopper;
  confirm(): Promise<Reply<Data<ConfirmAnswer> & Problem>>;
  payBy(
    method: string,
    headers?: Record<string, string>,
  ): Promise<Reply<Data<ConfirmAnswer> & Problem>>;
  read(): Promise<OrderRecord>;
}

interface Placing {
  readonly payment_method?: "gateway" | "bank_transfer";
  /** With the default, the balance is above the limit for cash on delivery. */
  readonly base_price?: number;
}

/** Places orders in parts in a running stack with the demo shop's settings. */
export function ordersInParts(baseUrl: string, environment: StackEnvironment) {
  const table = tableOf(environment);
  const orders = openOrders(table);

  async function aSofaCart({ base_price = 6_500_000 }: Placing = {}): Promise<Shopper> {
    const { sofa } = await plantSofa(table, { base_price });
    return aShopper(baseUrl, [{ sofa: sofa.slug, configuration: {}, quantity: 1 }]);
  }

  async function place(placing: Placing = {}): Promise<OrderInParts> {
    const shopper = await aSofaCart(placing);
    const { email, phone } = aPerson();
    const { payment_method = "bank_transfer" } = placing;
    const asked = { email, phone, payment_method, payment_plan: "deposit" };
    const { body, status, text } = await shopper.checkOut(asked);
    if (status !== 201) throw new Error(text);
    const { order } = body.data;
    const ask = (path: string, sent: object, headers: Record<string, string> = shopper.headers) =>
      shopper.client.post<Data<ConfirmAnswer> & Problem>(
        `/checkout/${order.id}/${path}`,
        sent,
        headers,
      );
    return {
      id: order.id,
      email,
      total: order.totals.grand_total,
      deposit: order.payment_schedule[0]?.amount ?? 0,
      placed: body.data,
      shopper,
      confirm: () => ask("confirm", {}),
      payBy: (method, headers) => ask("payment", { payment_method: method }, headers),
      async read() {
        const record = await orders.find(order.id);
        if (!record) throw new Error(`There is no order ${order.id}`);
        return record;
      },
    };
  }

  return { table, orders, aSofaCart, place };
}

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
  /** Lets the order's payment window end this many ms ago, by default a second. */
  expireOrder(ago?: number): Promise<void>;
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
      async expireOrder(ago = 1_000) {
        awaits("due-orders");
        const expires_at = new Date(Date.now() - ago).toISOString();
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
