import { describe, expect, test } from "vitest";
import { changeMessages, messageTo } from "#functions/on-change/stream/effects.ts";
import type { Customer } from "#shared/domain/customer/customer.ts";
import { newStock } from "#shared/domain/catalog/stock.ts";
import { aCustomer } from "#test/support/people/members.ts";
import { aProduct, aVariant } from "#test/support/shop/builders.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";

const change = (entity: string, before: object | undefined, after: object | undefined) =>
  messageTo("marketing", {
    pk: "",
    before: before && { entity, ...before },
    after: after && { entity, ...after },
  });

describe("a change of a customer", () => {
  const customer = aCustomer();
  const now = customer.updated_at;
  const wanting: Partial<Customer> = {
    marketing_opt_in: true,
    preferences: { ...customer.preferences, newsletter: true },
  };
  const about = { kind: "customer", id: customer.id, at: now };
  const nothing = { left: false, verified: false, left_email: null };
  const was = (before: Partial<Customer> | undefined, after: Partial<Customer>) =>
    change("customer", before && { ...customer, ...before }, { ...customer, ...after });

  test("is enqueued for the marketing consumer when the customer gives or withdraws consent, or verifies the email", () => {
    expect(was(undefined, wanting)).toEqual({ ...about, ...nothing });
    expect(was({}, wanting)).toEqual({ ...about, ...nothing });
    expect(was({ marketing_opt_in: true }, wanting)).toEqual({ ...about, ...nothing });
    expect(was(wanting, {})).toEqual({ ...about, ...nothing, left: true });
    expect(was({}, { email_verified_at: now })).toEqual({ ...about, ...nothing, verified: true });
  });

  test("is enqueued for the marketing consumer when it replaces a verified email, but not an unverified one", () => {
    const email = "new@example.com";
    expect(was({ email_verified_at: now }, { email })).toEqual({
      ...about,
      ...nothing,
      left_email: customer.email,
    });
    expect(was({}, { email })).toBeUndefined();
  });

  test("is not enqueued for the marketing consumer if it changes neither consent nor email, or is a deletion", () => {
    expect(was(undefined, {})).toBeUndefined();
    expect(was(wanting, { ...wanting, name: "Other" })).toBeUndefined();
    expect(change("customer", customer, undefined)).toBeUndefined();
  });
});

test("an order is enqueued for the marketing consumer only if it is new and its buyer agreed to marketing", () => {
  const order = aPlacedOrder();
  const agreed = { ...order, marketing_opt_in: true };
  expect(change("order", undefined, agreed)).toEqual({ kind: "order", id: order.id });
  expect(change("order", undefined, { ...order, marketing_opt_in: false })).toBeUndefined();
  expect(change("order", agreed, { ...agreed, version: 2 })).toBeUndefined();
});

test("a stock change is enqueued for the marketing consumer only if it makes more units available", () => {
  const owner = { kind: "product", id: anId("prd"), slug: "oslo" } as const;
  const stock = newStock("A", owner, { policy: "deny", low_stock_threshold: 0 }, noon);
  const units = (available: number) => ({ ...stock, available });
  expect(change("stock", units(0), units(3))).toEqual({ kind: "stock", id: owner.id });
  expect(change("stock", units(3), units(2))).toBeUndefined();
  expect(change("stock", units(-3), units(0))).toBeUndefined();
});

test("a product is enqueued for the marketing consumer when it is published, or a variant changes while it is published", () => {
  const product = aProduct({ status: "published" });
  const about = { kind: "price", id: product.id };
  expect(change("product", { ...product, status: "draft" }, product)).toEqual(about);
  const repriced = { ...product, variants: [aVariant({ price: 1 })] };
  expect(change("product", product, repriced)).toEqual(about);
  expect(change("product", product, { ...product, name: "Other" })).toBeUndefined();
  expect(change("product", product, { ...repriced, status: "draft" })).toBeUndefined();
});

test("a product is enqueued for the marketing consumer when it is archived or deleted", () => {
  const product = aProduct({ status: "published" });
  const about = { kind: "discontinued", id: product.id };
  const archived = { ...product, status: "archived" };
  expect(change("product", product, archived)).toEqual(about);
  expect(change("product", archived, { ...archived, name: "Other" })).toBeUndefined();
  expect(change("product", { ...product, status: "draft" }, undefined)).toEqual(about);
});

test("a deletion of anything but a product is not enqueued for the marketing consumer", () => {
  const order = { ...aPlacedOrder(), marketing_opt_in: true };
  expect(change("order", order, undefined)).toBeUndefined();
  const owner = { kind: "product", id: anId("prd"), slug: "oslo" } as const;
  const stock = newStock("A", owner, { policy: "deny", low_stock_threshold: 0 }, noon);
  expect(change("stock", { ...stock, available: 3 }, undefined)).toBeUndefined();
  const cart = { id: anId("cart"), status: "active", customer_id: anId("cus"), lines: [{}] };
  expect(change("cart", cart, undefined)).toBeUndefined();
});

test("the changes of a batch are sent once each, in messages of at most twenty", () => {
  const changes = Array.from({ length: 45 }, (_, position) => ({
    kind: "stock" as const,
    id: String(position % 41),
  }));
  expect(changeMessages("marketing", changes).map((message) => message.changes.length)).toEqual([
    20, 20, 1,
  ]);
});
