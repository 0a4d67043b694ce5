import { computed, signal } from "@preact/signals";
import type { Schemas } from "furniture-storefront-client";
import { answerOf, bootstrap, cartToken, kept, session, shop } from "./shop.ts";

export type Cart = Schemas["Cart"];
interface Destination {
  postal_code?: string;
  shipping_method?: Schemas["ShippingMethodCode"];
}

export const cart = signal<Cart | null>(null);
export const itemCount = computed(() => cart.value?.item_count ?? 0);
/** Where and how the buyer wants the goods. With it the cart shows exactly what checkout will charge. */
export const destination = kept<Destination>("destination", {});

/** A place of delivery, as the API takes it. */
export const place = ({ postal_code } = destination.value): { postal_code?: string; country?: string } =>
  postal_code === undefined ? {} : { postal_code, country: bootstrap.value?.store.country ?? "IN" };

export async function loadCart() {
  const { postal_code, shipping_method } = destination.value;
  const query = { ...place(), ...(postal_code && shipping_method && { shipping_method }) };
  const result = await shop.GET("/api/v1/cart", { params: { query } });
  cart.value = (await answerOf(result)).data;
  return result;
}

/** Adds lines, or changes those that are named by `id`; quantity 0 removes one. Makes a cart if there is none. */
export async function writeLines(items: Schemas["LineWriteInput"][]): Promise<void> {
  const { data } = await answerOf(shop.PATCH("/api/v1/cart/items", { body: { items } }));
  cart.value = data;
  if (destination.value.postal_code !== undefined) await loadCart();
}

/** @param code null takes the coupon off @returns what the shop says about the code */
export async function tryCoupon(code: string | null): Promise<Schemas["CouponTrial"]> {
  const { data } = await answerOf(shop.POST("/api/v1/checkout/coupon", { body: { code } }));
  await loadCart();
  return data;
}

/** Holds a delivery time for a quarter of an hour. */
export async function chooseSlot(time: { date: string; window: string }): Promise<void> {
  const { shipping_method } = destination.value;
  const body = { ...time, ...place(), ...(shipping_method && { shipping_method }) };
  await answerOf(shop.PUT("/api/v1/cart/slot", { body }));
  await loadCart();
}

export const hasCart = (): boolean => cartToken.value !== null || session.value !== null;

/** An order or an account has taken the guest's cart. */
export function forgetCart(): void {
  cartToken.value = null;
  cart.value = null;
}
