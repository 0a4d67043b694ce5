import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import { openOrderByLink, orderLinkToken, passedOnToken } from "#shared/auth/order-link.ts";
import { linkToken, readLinkToken } from "#shared/auth/link-tokens.ts";
import { orderAccessToken } from "#shared/auth/order-proof.ts";
import { type OrderStatus, orderMachine } from "#shared/domain/order/status/order-states.ts";
import { namesOf } from "#shared/domain/base/members.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";

const cartToken = "q0Vb5p-_q0Vb5p-_q0Vb5p-_q0Vb5p-_q0Vb5p-_q0V";
const placed = aPlacedOrder({ payment_method: "gateway" });
const order = { ...placed, access_token_hash: hashOf(orderAccessToken(cartToken, placed.id)) };
const newKey = (kid: string) => ({ kid, secret: randomBytes(32).toString("base64url") });
const [first, second, third] = [newKey("1"), newKey("2"), newKey("3")];
const keys = async () => ({ current: first });
const token = (await orderLinkToken(order, keys)) ?? "";
const now = new Date(order.placed_at);
const after = (from: string, days: number, ms = 0) =>
  new Date(Date.parse(from) + days * 86_400_000 + ms);

const recordOf = (overrides: Partial<StoredOrder> = {}): OrderRecord => ({
  order: { ...order, ...overrides },
  rows: { timeline: [], transactions: [], shipments: [], changes: [], returns: [] },
});

const opens = async (...of: Parameters<typeof openOrderByLink>) =>
  (await openOrderByLink(...of)) !== undefined;

/** The order in a status that it reached at a time; later entries and changes follow. */
const since = (status: OrderStatus, at: string): OrderRecord => {
  const later = after(at, 20).toISOString();
  return {
    order: { ...order, status, updated_at: later },
    rows: {
      transactions: [],
      shipments: [],
      changes: [],
      returns: [],
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
  test.each(running)("opens an order that is %s at any time", async (status) => {
    const record = since(status, order.placed_at);
    expect(await opens(record, token, keys, now)).toBe(true);
    expect(await opens(record, token, keys, after(order.placed_at, 3_650))).toBe(true);
  });

  test.each(over)("opens an order that is %s for 30 days after it became so", async (status) => {
    const at = "2026-12-01T08:30:00.000Z";
    const record = since(status, at);
    expect(await opens(record, token, keys, after(at, 30, -1))).toBe(true);
    expect(await opens(record, token, keys, after(at, 30))).toBe(false);
    expect(await opens(record, token, keys, after(at, 3_650))).toBe(false);
  });

  test("opens an order again that a late payment confirms after it has expired", async () => {
    const record = since("expired", order.placed_at);
    const confirmed = { ...record, order: { ...record.order, status: "confirmed" as const } };
    expect(await opens(confirmed, token, keys, after(order.placed_at, 60))).toBe(true);
  });

  test("opens no other order, not even of the same cart", async () => {
    const id = aPlacedOrder().id.replace(/.$/, (last) => (last === "9" ? "8" : "9"));
    expect(await opens(recordOf({ id }), token, keys, now)).toBe(false);
  });

  test("does not open an order that belongs to an account, or whose account was deleted", async () => {
    const joined = recordOf({ customer: { ...order.customer, id: "cus_1" } });
    expect(await opens(joined, token, keys, now)).toBe(false);
    expect(await orderLinkToken(joined.order, keys)).toBeNull();
    const erased = recordOf({ access_token_hash: null });
    expect(await opens(erased, token, keys, now)).toBe(false);
    expect(await orderLinkToken(erased.order, keys)).toBeNull();
  });

  test("opens the order after one rotation of the keys, and ends with the second", async () => {
    const once = async () => ({ current: second, previous: first });
    const twice = async () => ({ current: third, previous: second });
    expect(await opens(recordOf(), token, once, now)).toBe(true);
    expect(await opens(recordOf(), token, twice, now)).toBe(false);
  });

  test("is not the link of the order's confirmation, nor the other way round", async () => {
    const confirmation = await linkToken({ purpose: "confirmation", subject: order.id }, keys);
    expect(await opens(recordOf(), confirmation, keys, now)).toBe(false);
    expect(await readLinkToken(token, "confirmation", keys, now)).toBeUndefined();
    expect(await readLinkToken(confirmation, "confirmation", keys, now)).toEqual({
      subject: order.id,
    });
  });

  test("proves the order's email only while that is the address to which the link was mailed", async () => {
    const { email } = order.customer;
    const withEmail = (email: string | null) =>
      recordOf({ customer: { ...order.customer, email } });
    const proves = async (record: OrderRecord) =>
      (await openOrderByLink(record, token, keys, now))?.provenEmail;
    expect(await proves(recordOf())).toBe(email);
    expect(await proves(withEmail("corrected@example.com"))).toBeNull();
    expect(await proves(withEmail(null))).toBeNull();
  });

  test("proves no email if staff have passed it on", async () => {
    const passedOn = (await passedOnToken(order, keys)) ?? "";
    expect(await openOrderByLink(recordOf(), passedOn, keys, now)).toEqual({ provenEmail: null });
  });

  test("cannot be derived from the order's tokens, and opens nothing if one character differs", async () => {
    const tampered = Array.from(token, (character, position) => {
      const other = character === "A" ? "g" : "A";
      return token.slice(0, position) + other + token.slice(position + 1);
    });
    const forged = [
      ...tampered,
      order.access_token_hash,
      orderAccessToken(cartToken, order.id),
      `${token}A`,
      token.slice(0, -1),
      "",
    ];
    for (const each of forged)
      expect([each, await opens(recordOf(), each, keys, now)]).toEqual([each, false]);
  });

  test("is not opened by any other text, and no text throws", async () => {
    const wellFormed = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => Buffer.from(bytes).toString("base64url"));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: "binary" }), wellFormed), async (text) => {
        expect(await opens(recordOf(), text, keys, now)).toBe(false);
      }),
    );
  });
});
