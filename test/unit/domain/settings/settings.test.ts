import { describe, expect, test } from "vitest";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { PaymentSettings, settingsGroupNames } from "#shared/domain/settings/settings.ts";
import { ShippingSettings } from "#shared/domain/settings/shipping-settings.ts";
import { SlotSettings } from "#shared/domain/settings/slot-settings.ts";
import { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import { TaxSettings } from "#shared/domain/settings/tax-settings.ts";
import {
  PublicSettings,
  publicSettings,
  settingsGroups,
} from "#shared/domain/settings/settings-groups.ts";
import { aStore, aTax, aZone, somePayments, someShipping } from "#test/support/shop/commerce.ts";
import { aSlotShop, someSlots } from "#test/support/shop/settings.ts";

describe("settings", () => {
  test("are valid in the test fixtures", () => {
    expect(StoreSettings.parse(aStore())).toEqual(aStore());
    expect(TaxSettings.parse(aTax())).toEqual(aTax());
    expect(PaymentSettings.parse(somePayments())).toEqual(somePayments());
    expect(ShippingSettings.parse({ zones: [aZone()] })).toEqual(someShipping([aZone()]));
  });

  test.each(settingsGroupNames)("of group %s have valid defaults", (group) => {
    expect(settingsGroups[group].parse(defaultSettings[group])).toEqual(defaultSettings[group]);
  });

  test.each(settingsGroupNames)("of group %s have one default in schema and settings", (group) => {
    const settings = defaultSettings[group];
    for (const left of Object.keys(settings)) {
      const others = Object.entries(settings).filter(([member]) => member !== left);
      const { success, data } = settingsGroups[group].safeParse(Object.fromEntries(others));
      if (success) expect(data).toEqual(settings);
    }
  });

  test("of an enabled feature must contain what the feature requires", () => {
    const { bank_transfer } = somePayments();
    const payments = somePayments({ bank_transfer: { ...bank_transfer, account: null } });
    expect(PaymentSettings.safeParse(payments).error?.issues[0]?.path).toEqual([
      "bank_transfer",
      "account",
    ]);
    const { messaging } = defaultSettings;
    const whatsapp = { ...messaging.whatsapp, enabled: true };
    expect(settingsGroups.messaging.safeParse({ whatsapp }).error?.issues[0]?.path).toEqual([
      "whatsapp",
      "phone_number_id",
    ]);
  });

  const zonesOf = (...lists: readonly string[][]) =>
    lists.map((postal_prefixes, index) => aZone({ code: `zone-${index}`, postal_prefixes }));
  test.each<[string, ReturnType<typeof zonesOf>, string[]]>([
    ["the same prefix in two zones", zonesOf(["56"], ["57", "56"]), ["1.postal_prefixes.1"]],
    ["the same prefix twice", zonesOf(["56", "57", "56"]), ["0.postal_prefixes.2"]],
    ["a longer prefix behind a shorter one", zonesOf(["56"], ["5600"]), ["1.postal_prefixes.0"]],
    ["a longer prefix before a shorter one", zonesOf(["5600"], ["56"]), []],
    ["a longer prefix beside a shorter one", zonesOf(["56", "5600"]), []],
    ["the whole country behind its parts", zonesOf(["56"], []), []],
    ["a part behind its whole country", zonesOf([], ["56"]), ["1.postal_prefixes.0"]],
    ["the whole country twice", zonesOf([], []), ["1.postal_prefixes"]],
    [
      "the same prefix in two countries",
      zonesOf(["56"], ["56"]).map((zone, index) => ({ ...zone, country: index ? "AE" : "IN" })),
      [],
    ],
  ])("of delivery with %s are refused only where a zone would never apply", (_, zones, paths) => {
    const refused = ShippingSettings.safeParse({ zones }).error?.issues ?? [];
    expect(refused.map(({ path }) => path.join("."))).toEqual(paths.map((path) => `zones.${path}`));
    const {
      zones: [home],
    } = aTax();
    const taxed = zones.map(({ code, country, postal_prefixes }) => ({
      ...home,
      code,
      country,
      postal_prefixes,
    }));
    const tax = { ...aTax(), home_zone: "zone-0", zones: taxed };
    const alike = TaxSettings.safeParse(tax).error?.issues ?? [];
    expect(alike.map(({ path }) => path.join("."))).toEqual(paths.map((path) => `zones.${path}`));
  });

  test("of delivery have bands in such an order that each of them can apply", () => {
    const band = (max_weight_g: number | null, max_volume_cm3: number | null) => ({
      max_weight_g,
      max_volume_cm3,
      amount: 100,
    });
    const pathsOf = (...bands: ReturnType<typeof band>[]) => {
      const [method] = aZone().methods;
      const zone = aZone({ methods: [{ ...method!, bands }] });
      const { error } = ShippingSettings.safeParse({ zones: [zone] });
      return (error?.issues ?? []).map(({ path }) => path.slice(4).join("."));
    };
    expect(pathsOf(band(10, null), band(20, null), band(null, null))).toEqual([]);
    expect(pathsOf(band(20, null), band(10, null))).toEqual(["bands.1"]);
    expect(pathsOf(band(null, null), band(10, 5), band(10, 5))).toEqual(["bands.1", "bands.2"]);
    expect(pathsOf(band(10, 50), band(20, 5))).toEqual([]);
    expect(pathsOf(band(10, 50), band(10, 50))).toEqual(["bands.1"]);
  });

  test.each<[string, Partial<SlotSettings>, string | undefined]>([
    ["begins after the cut-off of its day", { cut_off: "08:59" }, undefined],
    ["begins at the cut-off of its day", { cut_off: "09:00" }, undefined],
    ["begins before the cut-off of its day", { cut_off: "09:01" }, "zones.city.windows.0.from"],
    ["needs a day's notice", { cut_off: "09:01", zones: { city: someSlots() } }, undefined],
  ])("of delivery slots may have a window that %s: %j", (_what, members, path) => {
    const { slots } = aSlotShop({
      zones: { city: someSlots({ lead_days: 0 }) },
      ...members,
    }).shipping;
    const { error } = SlotSettings.safeParse(slots);
    expect(error?.issues.map((issue) => issue.path.join("."))).toEqual(path && [path]);
  });

  test("with a timezone that does not exist are refused", () => {
    expect(StoreSettings.safeParse(aStore({ timezone: "Asia/Atlantis" })).success).toBe(false);
  });

  test("of tax must define the home zone, and in every zone the default class", () => {
    expect(TaxSettings.safeParse(aTax({ default_class: "luxury" })).success).toBe(false);
    expect(TaxSettings.safeParse(aTax({ home_zone: "goa" })).success).toBe(false);
  });
});

test("public settings contain names and labels, but no bank account, tax number or address", () => {
  const { gateway } = somePayments();
  const seen = publicSettings({
    store: aStore({ tax_id: "27AAPFU0939F1ZV", features: { swatches: true } }),
    payments: somePayments({ gateway: { ...gateway, publishable_key: "pk_test_1" } }),
    shipping: someShipping([aZone()]),
    seo: defaultSettings.seo,
  });
  expect(PublicSettings.strict().parse(seen)).toEqual(seen);
  expect(seen.payment_methods).toEqual([
    { code: "gateway", label: "Card or UPI", enabled: true, publishable_key: "pk_test_1" },
    { code: "cod", label: "Cash on delivery", enabled: true, publishable_key: null },
    { code: "bank_transfer", label: "Bank transfer", enabled: true, publishable_key: null },
  ]);
  const text = JSON.stringify(seen);
  for (const hidden of ["27AAPFU0939F1ZV", "Residency", "001234567890", "desk.example.com"]) {
    expect(text).not.toContain(hidden);
  }
});

test("the gateway is an enabled payment method only once it has a publishable key", () => {
  const { payment_methods } = publicSettings({ ...defaultSettings, payments: somePayments() });
  expect(payment_methods).toContainEqual({
    code: "gateway",
    label: "Card or UPI",
    enabled: false,
    publishable_key: null,
  });
});
