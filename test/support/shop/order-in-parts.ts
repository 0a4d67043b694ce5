import type { StackEnvironment } from "#infra/local/stack.ts";
import type { CheckoutAnswer, ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import type { Reply } from "../http/client.ts";
import type { Problem } from "../http/problem.ts";
import { plantSofa, tableOf } from "./plant.ts";
import { type Data, type Shopper, aPerson, aShopper } from "./shopping.ts";

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
