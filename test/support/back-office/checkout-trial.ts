import type { StoredCart, Cart } from "#shared/domain/cart/cart.ts";
import { hash, randomUUID } from "node:crypto";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import { Carts } from "#shared/storage/cart/carts.ts";
import { CouponUses } from "#shared/storage/pricing/coupons.ts";
import { OrderNumbers, Orders, OrdersOfBuyer } from "#shared/storage/order/orders.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Reply, clientOf } from "../http/client.ts";
import { aCheckout, plantCoupon, plantProduct } from "../shop/plant.ts";
import type { Problem } from "../http/answers.ts";

export interface Trace {
  /** Ids of the buyer's orders for which both the order and the row of its number are stored. */
  readonly orders: readonly string[];
  readonly reserved: number;
  readonly available: number;
  readonly couponUses: number;
  readonly cart: StoredCart["status"] | undefined;
}

export interface CheckoutTrial {
  /** Sends the checkout. Every call has the same body and the same idempotency key. */
  send(baseUrl: string): Promise<Reply<{ data: CheckoutAnswer } & Problem>>;
  /** What the checkout has stored so far. */
  trace(): Promise<Trace>;
}

export const units = 10;
export const quantity = 2;

/** A separate buyer with two units of a separate product in a cart, and a limited coupon. */
export async function prepareCheckout(table: Table, baseUrl: string): Promise<CheckoutTrial> {
  const product = await plantProduct(table, { units });
  const coupon = await plantCoupon(table, { max_uses: 5 });
  const cart = await clientOf(baseUrl).post<{ data: Cart }>("/cart", {
    items: [{ sku: product.sku, quantity }],
    coupon: coupon.code,
  });
  const token = cart.headers.get("x-cart-token") ?? "";
  const key = randomUUID();
  const body = aCheckout();

  return {
    send: (to) =>
      clientOf(to).post("/checkout", body, { "x-cart-token": token, "idempotency-key": key }),
    async trace() {
      const owner = { kind: "guest", tokenHash: hash("sha256", token, "base64url") } as const;
      const { records } = await table.page(OrdersOfBuyer, {
        partition: `BUYER#email#${String(body["email"])}`,
        prefix: "ORDER#",
      });
      const { orders, carts, uses } = await table.getMany({
        orders: records.map(({ order_id }) => at(Orders, { id: order_id })),
        carts: [at(Carts, { owner })],
        uses: [at(CouponUses, { code: coupon.code, by: "all" })],
      });
      const numbered = await Promise.all(
        orders.map(
          async (order) => order && (await table.get(OrderNumbers, { number: order.number })),
        ),
      );
      const { reserved, available } = await product.stock();
      return {
        orders: numbered.flatMap((reference) => (reference ? [reference.order_id] : [])),
        reserved,
        available,
        couponUses: uses[0]?.uses ?? 0,
        cart: carts[0]?.status,
      };
    },
  };
}

export const untouched: Trace = {
  orders: [],
  reserved: 0,
  available: units,
  couponUses: 0,
  cart: "active",
};

/** The trace of exactly one complete order. */
export const placed = (orderId: string): Trace => ({
  orders: [orderId],
  reserved: quantity,
  available: units - quantity,
  couponUses: 1,
  cart: "converted",
});
