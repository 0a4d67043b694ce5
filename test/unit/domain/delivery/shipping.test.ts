import { describe, expect, test } from "vitest";
import { judgeCod } from "#shared/domain/pricing/payment-methods.ts";
import { type Consignment, parcelOf, quoteShipping } from "#shared/domain/delivery/shipping.ts";
import { dayIn, plusDays } from "#shared/domain/base/day.ts";
import { aMethod, aZone, noon, somePayments, someShipping } from "#test/support/shop/commerce.ts";

function aConsignment(overrides: Partial<Consignment> = {}): Consignment {
  return {
    quantity: 1,
    parcels: [{ weight_g: 9_000, volume_cm3: 120_000 }],
    lead_time: { min_days: 1, max_days: 2 },
    delivery_classes: [],
    ...overrides,
  };
}

function quoted(overrides: Partial<Parameters<typeof quoteShipping>[0]> = {}) {
  return quoteShipping({
    consignments: [aConsignment()],
    destination: { country: "IN", postal_code: "560001" },
    shipping: someShipping([aZone()]),
    timezone: "Asia/Kolkata",
    itemsTotal: 100_000,
    free: false,
    now: noon,
    ...overrides,
  });
}

describe("a delivery quote", () => {
  test("has the price of the first price band that fits weight and volume", () => {
    expect(quoted().methods[0]!.amount).toBe(49_900);
    expect(quoted({ consignments: [aConsignment({ quantity: 2 })] }).methods[0]!.amount).toBe(
      199_900,
    );
    const heavy = [aConsignment({ parcels: [{ weight_g: 20_001, volume_cm3: 1 }] })];
    expect(quoted({ consignments: heavy }).methods[0]!.amount).toBe(199_900);
  });

  test("says that a destination outside every zone is not served", () => {
    expect(quoted({ destination: { country: "IN", postal_code: "110001" } })).toEqual({
      serviceable: false,
      reason: "area_not_served",
      zone: null,
      methods: [],
      codInZone: false,
    });
  });

  test("refuses a parcel above every price band as too large", () => {
    const method = aMethod({ bands: [{ max_weight_g: 5_000, max_volume_cm3: null, amount: 100 }] });
    const shipping = someShipping([aZone({ methods: [method] })]);
    expect(quoted({ shipping })).toMatchObject({
      serviceable: false,
      reason: "too_large",
      methods: [],
    });
  });

  test("is free from the configured subtotal on, and with a free-shipping coupon", () => {
    const shipping = someShipping([aZone({ methods: [aMethod({ free_above: 100_000 })] })]);
    expect(quoted({ shipping }).methods[0]!.amount).toBe(0);
    expect(quoted({ shipping, itemsTotal: 99_999 }).methods[0]!.amount).toBe(49_900);
    expect(quoted({ free: true }).methods[0]!.amount).toBe(0);
  });

  test("offers only the methods that the delivery classes of the lines permit", () => {
    const methods = [aMethod(), aMethod({ code: "white_glove", label: "White glove" })];
    const shipping = someShipping([aZone({ methods })]);
    const offered = (...delivery_classes: string[]) =>
      quoted({
        shipping,
        consignments: [aConsignment(), aConsignment({ delivery_classes })],
      }).methods.map(({ code }) => code);
    expect(offered("white_glove")).toEqual(["white_glove"]);
    expect(offered("bulky")).toEqual(["standard", "white_glove"]);
  });

  test("estimates the delivery dates from the longest lead time and the transit time", () => {
    const consignments = [
      aConsignment(),
      aConsignment({ lead_time: { min_days: 21, max_days: 28 } }),
    ];
    expect(quoted({ consignments }).methods[0]!.eta).toEqual({
      min_on: "2026-12-14",
      max_on: "2026-12-23",
    });
  });

  test("has the price of the lightest parcel for an empty cart", () => {
    expect(quoted({ consignments: [] }).methods[0]).toMatchObject({
      amount: 49_900,
      eta: { min_on: "2026-11-23", max_on: "2026-11-25" },
    });
  });

  test("counts days in the shop's timezone", () => {
    const lateEvening = new Date("2026-12-31T20:00:00Z");
    expect(dayIn("Asia/Kolkata", lateEvening)).toBe("2027-01-01");
    expect(dayIn("America/New_York", lateEvening)).toBe("2026-12-31");
    expect(plusDays("2026-12-31", 60)).toBe("2027-03-01");
  });

  test("rounds the volume up to a whole cubic centimetre", () => {
    const packed = { width_mm: 101, depth_mm: 101, height_mm: 101, weight_g: 400 };
    expect(parcelOf(packed)).toEqual({ weight_g: 400, volume_cm3: 1_031 });
  });
});

describe("cash on delivery", () => {
  const stocked = { name: "Oslo chair", cod_eligible: true, made_to_order: false };
  const order = {
    settings: somePayments().cod,
    servedInZone: true,
    grandTotal: 5_000_000,
    lines: [stocked],
  };

  test.each([
    [null, {}],
    ["disabled", { settings: { ...order.settings, enabled: false } }],
    ["area", { servedInZone: false }],
    ["product", { lines: [stocked, { ...stocked, cod_eligible: false }] }],
    ["made_to_order", { lines: [{ ...stocked, made_to_order: true }] }],
    ["amount", { grandTotal: 5_000_001 }],
    [
      null,
      {
        settings: { ...order.settings, made_to_order_allowed: true },
        lines: [{ ...stocked, made_to_order: true }],
      },
    ],
  ])("has the refusal reason %s (null: available) for %j", (reason, overrides) => {
    const verdict = judgeCod({ ...order, ...overrides });
    expect(verdict.available ? null : verdict.reason).toBe(reason);
  });
});
