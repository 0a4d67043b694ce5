import { describe, expect, test } from "vitest";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { type ShopState, setupChecklist } from "#shared/domain/settings/setup-checklist.ts";
import { savedOrDefault } from "#shared/storage/settings/settings.ts";
import { aStore, aTax, aZone, somePayments, someShipping } from "#test/support/shop/commerce.ts";

const nothing: ShopState = {
  settings: defaultSettings,
  saved: new Set(),
  secrets: new Set(),
  mailFrom: undefined,
  published: { products: false, homepage: false, about: false, menus: false },
};
const payments = (overrides: Partial<ReturnType<typeof somePayments>>) => ({
  ...defaultSettings.payments,
  ...overrides,
});
const itemOf = (shop: ShopState, code: string) =>
  setupChecklist(shop).items.find((item) => item.code === code);

test("every step of a new shop's setup checklist is open", () => {
  const { items, done, total, ready } = setupChecklist(nothing);
  expect(items.filter((item) => item.done)).toEqual([]);
  expect([done, total, ready]).toEqual([0, items.length, false]);
});

test("a shop that can sell is ready, even if optional steps are open", () => {
  const settings = {
    ...defaultSettings,
    store: aStore(),
    tax: aTax(),
    shipping: someShipping([aZone()]),
    payments: payments({ cod: somePayments().cod }),
  };
  const shop: ShopState = {
    ...nothing,
    settings,
    saved: new Set(["tax"]),
    mailFrom: "no-reply@example.com",
    published: { ...nothing.published, products: true, homepage: true },
  };
  expect(setupChecklist(shop).ready).toBe(true);
  expect(itemOf(shop, "online_payment")?.done).toBe(false);
  expect(setupChecklist({ ...shop, mailFrom: undefined }).ready).toBe(false);
});

describe("the payment step of the setup checklist", () => {
  const { gateway, cod, bank_transfer } = somePayments();
  const keys = { ...gateway, publishable_key: "pk_test_1234567890" };
  const zones = [aZone({ cod: false })];
  test.each<[string, Partial<ShopState["settings"]>, ShopState["secrets"], boolean]>([
    [
      "a gateway with its keys",
      { payments: payments({ gateway: keys }) },
      new Set(["gateway.secret_key"]),
      true,
    ],
    ["a gateway without its secret", { payments: payments({ gateway: keys }) }, new Set(), false],
    [
      "a gateway without its public key",
      { payments: payments({ gateway }) },
      new Set(["gateway.secret_key"]),
      false,
    ],
    ["a bank account", { payments: payments({ bank_transfer }) }, new Set(), true],
    [
      "cash on delivery that no zone offers",
      { payments: payments({ cod }), shipping: someShipping(zones) },
      new Set(),
      false,
    ],
  ])("is done if and only if buyers can pay by %s", (_what, settings, secrets, works) => {
    const shop = { ...nothing, settings: { ...defaultSettings, ...settings }, secrets };
    expect(itemOf(shop, "payment_method")?.done).toBe(works);
  });
});

test("a settings group that was saved before a member was introduced has that member's default", () => {
  const tax = aTax();
  const { invoice: _later, ...earlier } = tax;
  expect(savedOrDefault("tax", { value: earlier })).toEqual({
    ...tax,
    invoice: defaultSettings.tax.invoice,
  });
  const { publishable_key: _new, ...gateway } = somePayments().gateway;
  const saved = savedOrDefault("payments", { value: { ...somePayments(), gateway } });
  expect(saved.gateway).toEqual(somePayments().gateway);
  expect(savedOrDefault("shipping", undefined)).toEqual(defaultSettings.shipping);
});
