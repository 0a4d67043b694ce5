import * as fc from "fast-check";
import { expect, test } from "vitest";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import { orderAccessToken } from "#shared/auth/order-proof.ts";
import { opensPayment, payToken } from "#shared/auth/pay-link.ts";
import { aPlacedOrder } from "#test/support/shop/placed-order.ts";

const cartToken = "q0Vb5p-_q0Vb5p-_q0Vb5p-_q0Vb5p-_q0Vb5p-_q0V";
const placed = aPlacedOrder({ payment_method: "gateway" });
const order = { ...placed, access_token_hash: hashOf(orderAccessToken(cartToken, placed.id)) };
const token = payToken(order) ?? "";
const now = new Date(order.placed_at);
const expire = new Date(order.expires_at ?? "");
const atExpiry = new Date(Math.floor(expire.getTime() / 1000) * 1000);

test("a payment link gives access to its order until it expires", () => {
  expect(opensPayment(order, token, now)).toBe(true);
  expect(opensPayment(order, token, new Date(atExpiry.getTime() - 1))).toBe(true);
  expect(opensPayment(order, token, atExpiry)).toBe(false);
});

test("a payment link gives access to an order after payment, so that the buyer sees the payment", () => {
  const paid = { ...order, status: "confirmed" as const, expires_at: null };
  expect(opensPayment(paid, token, now)).toBe(true);
});

test("a payment link gives access to no other order, not even of the same cart", () => {
  expect(opensPayment({ ...order, id: `${order.id}0` }, token, now)).toBe(false);
  expect(opensPayment({ ...order, access_token_hash: hashOf("other") }, token, now)).toBe(false);
});

test("a payment link gives no access once the order belongs to an account", () => {
  const joined = { ...order, customer: { ...order.customer, id: "cus_1" } };
  expect(opensPayment(joined, token, now)).toBe(false);
  expect(payToken(joined)).toBeNull();
});

test("a payment link is created only for guest orders that await payment", () => {
  expect(payToken({ ...order, expires_at: null })).toBeNull();
  expect(payToken({ ...order, access_token_hash: null })).toBeNull();
  expect(opensPayment({ ...order, access_token_hash: null }, token, now)).toBe(false);
});

test("a payment link cannot be extended or derived from the order's tokens", () => {
  const [until = "", proof = ""] = token.split(".");
  const first = proof.startsWith("A") ? "B" : "A";
  const forged = [
    `${Number(until) + 1}.${proof}`,
    `${until}.${first}${proof.slice(1)}`,
    `${until}.${order.access_token_hash}`,
    `${until}.${orderAccessToken(cartToken, order.id)}`,
    `0${token}`,
    `${token}A`,
    proof,
    until,
    "",
  ];
  for (const each of forged) expect([each, opensPayment(order, each, now)]).toEqual([each, false]);
});

test("text that is no payment link is refused without throwing", () => {
  const wellFormed = fc
    .tuple(fc.nat(), fc.uint8Array({ minLength: 32, maxLength: 32 }))
    .map(([until, proof]) => `${until}.${Buffer.from(proof).toString("base64url")}`);
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), wellFormed), (text) => {
      expect(opensPayment(order, text, new Date(0))).toBe(false);
    }),
  );
});
