import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import { opensByLink, orderLinkToken } from "#shared/auth/order-link.ts";
import { orderAccessToken } from "#shared/auth/order-proof.ts";
import { type OrderStatus, orderMachine } from "#shared/domain/order/order-states.ts";
import { namesOf } from "#shared/domain/base/members.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";

const cartToken = "q0Vb5p-_q0Vb5p-_q0Vb5p-_q0Vb5p-_q0Vb5p-_q0V";
const placed = aPlacedOrder({ payment_method: "gateway" });
const order = { ...placed, access_token_hash: hashOf(orderAccessToken(cartToken, placed.id)) };
const token = orderLinkToken(order) ?? "";
const now = new Date(order.placed_at);
const after = (from: string, days: number, ms = 0) =>
  new Date(Date.parse(from) + days * 86_400_000 + ms);

const recordOf = (overrides: Partial<StoredOrder> = {}): OrderRecord => ({
  order: { ...order, ...overrides },
  rows: { timeline: [], transactions: [], shipments: [], changes: [] },
});

/** The order in a status that it reached at a time; later entries and changes follow. */
const since = (status: OrderStatus, at: string): OrderRecord => {
  const later = after(at, 20).toISOString();
  return {
    order: { ...order, status, updated_at: later },
    rows: {
      transactions: [],
      shipments: [],
      changes: [],
      timeline: [
        { at, type: status, message: "It is so.", public: true },
        { at: later, type: "refunded", message: "We have refunded you.", public: true },
      ],
    },
  };
};

const over = ["completed", "cancelled", "expired", "returned"] as const;
const running = namesOf(orderMachine).filter((status) => !over.some((each) => each === status));

describe("the link in an order's mails", () => {
  test.each(running)("opens an order that is %s at any time", (status) => {
    const record = since(status, order.placed_at);
    expect(opensByLink(record, token, now)).toBe(true);
    expect(opensByLink(record, token, after(order.placed_at, 3_650))).toBe(true);
  });

  test.each(over)("opens an order that is %s for 30 days after it became so", (status) => {
    const at = "2026-12-01T08:30:00.000Z";
    const record = since(status, at);
    expect(opensByLink(record, token, after(at, 30, -1))).toBe(true);
    expect(opensByLink(record, token, after(at, 30))).toBe(false);
    expect(opensByLink(record, token, after(at, 3_650))).toBe(false);
  });

  test("opens an order again that a late payment confirms after it has expired", () => {
    const record = since("expired", order.placed_at);
    const confirmed = { ...record, order: { ...record.order, status: "confirmed" as const } };
    expect(opensByLink(confirmed, token, after(order.placed_at, 60))).toBe(true);
  });

  test("opens no other order, not even of the same cart", () => {
    const id = aPlacedOrder().id.replace(/.$/, (last) => (last === "9" ? "8" : "9"));
    expect(opensByLink(recordOf({ id }), token, now)).toBe(false);
    expect(opensByLink(recordOf({ access_token_hash: hashOf("other") }), token, now)).toBe(false);
  });

  test("does not open an order that belongs to an account, or whose account was deleted", () => {
    const joined = recordOf({ customer: { ...order.customer, id: "cus_1" } });
    expect(opensByLink(joined, token, now)).toBe(false);
    expect(orderLinkToken(joined.order)).toBeNull();
    const erased = recordOf({ access_token_hash: null });
    expect(opensByLink(erased, token, now)).toBe(false);
    expect(orderLinkToken(erased.order)).toBeNull();
  });

  test("cannot be derived from the order's tokens, and opens nothing if one character differs", () => {
    const tampered = Array.from(token, (character, position) => {
      const other = character === "A" ? "B" : "A";
      return token.slice(0, position) + other + token.slice(position + 1);
    });
    const forged = [
      ...tampered,
      order.access_token_hash,
      orderAccessToken(cartToken, order.id),
      `${token}A`,
      `${token}=`,
      token.slice(0, -1),
      "",
    ];
    for (const each of forged)
      expect([each, opensByLink(recordOf(), each, now)]).toEqual([each, false]);
  });

  test("is not opened by any other text, and no text throws", () => {
    const wellFormed = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => Buffer.from(bytes).toString("base64url"));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), wellFormed), (text) => {
        expect(opensByLink(recordOf(), text, now)).toBe(false);
      }),
    );
  });
});
