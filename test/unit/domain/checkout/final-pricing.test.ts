import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { RequirementCode } from "#shared/domain/cart/cart.ts";
import { type CartReading, requirementsOf } from "#shared/domain/cart/cart-view.ts";
import { finalPricing } from "#shared/domain/checkout/final-pricing.ts";
import type { SlotReading } from "#shared/domain/delivery/slot-hold.ts";
import type { PaymentPlanCode } from "#shared/domain/pricing/payment-plans.ts";
import { besideQuoteCoupon } from "#shared/domain/pricing/coupon.ts";
import { priceCart } from "#shared/domain/pricing/totals.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import type { PaymentMethod } from "#shared/domain/settings/settings.ts";
import { aHold } from "#test/support/shop/settings.ts";
import {
  aPricedLine,
  aPricing,
  aStockRow,
  aStoredCart,
  anId,
  somePayments,
  someSettings,
} from "#test/support/shop/commerce.ts";

type Change = (reading: CartReading) => CartReading;

const line = aPricedLine();
const settings = { ...defaultSettings, ...someSettings({ payments: somePayments() }) };

const sound: CartReading = {
  cart: aStoredCart({ coupon_code: "WELCOME10" }),
  currency: "INR",
  lines: [{ line, requirement: null }],
  stock: new Map([[anId("var"), aStockRow()]]),
  slot: { kind: "none" },
  pricing: priceCart(aPricing({ lines: [line] })),
};

/** The cart of a second line that cannot be bought. */
const withLine =
  (code: RequirementCode): Change =>
  (reading) => {
    const item = aPricedLine({ id: anId("line", 2), variant_id: null, sku: null });
    const requirement = { code, message: "Remove this.", item_id: item.id };
    return { ...reading, lines: [{ line: item, requirement }, ...reading.lines] };
  };

const undeliverable =
  (code: "area_not_served" | "too_large" | "shipping_method_unavailable"): Change =>
  (reading) => {
    const { totals } = reading.pricing;
    const isOther = code === "shipping_method_unavailable";
    const allowed = isOther ? { allowed: ["pickup" as const] } : {};
    const pricing = {
      ...reading.pricing,
      method: null,
      totals: { ...totals, shipping: null, provisional: true },
      delivery_problem: { code, message: "Not there.", ...allowed },
    };
    return { ...reading, pricing };
  };

const hold = aHold();
const slot = hold.slot!;
const withSlot =
  (reading: SlotReading): Change =>
  (cart) => ({ ...cart, slot: reading });

const cartChanged = ["cart_changed"] as const;
const postalCode = ["validation_failed", "shipping_address.postal_code"] as const;

/** In the order in which they are reported: a cart with it, and the error and field with which checkout refuses it. */
const cases: Readonly<Record<RequirementCode, [Change, code: string, field?: string]>> = {
  unavailable: [withLine("unavailable"), ...cartChanged],
  configuration_invalid: [withLine("configuration_invalid"), ...cartChanged],
  quote_expired: [withLine("quote_expired"), ...cartChanged],
  insufficient_stock: [(reading) => ({ ...reading, stock: new Map() }), "insufficient_stock"],
  coupon_invalid: [
    (reading) => ({ ...reading, pricing: { ...reading.pricing, coupon: besideQuoteCoupon } }),
    ...cartChanged,
  ],
  area_not_served: [undeliverable("area_not_served"), ...postalCode],
  too_large: [undeliverable("too_large"), ...postalCode],
  shipping_method_unavailable: [
    undeliverable("shipping_method_unavailable"),
    "validation_failed",
    "shipping_method",
  ],
  slot_required: [withSlot({ kind: "required" }), ...cartChanged],
  slot_expired: [withSlot({ kind: "expired", slot, hold }), "slot_expired"],
  slot_taken: [withSlot({ kind: "misplaced", misfit: "elsewhere", slot, hold }), "slot_taken"],
};
const codes = Object.keys(cases) as RequirementCode[];

/** A cart that reports all of these. Of two that exclude each other, it reports the first. */
const having = (present: readonly RequirementCode[]): CartReading =>
  present.reduceRight((cart, code) => cases[code][0](cart), sound);

/** Requirements that are refused only after an impossible payment. */
const afterPayment: ReadonlySet<RequirementCode> = new Set([
  "slot_required",
  "slot_expired",
  "slot_taken",
]);

interface Payment {
  readonly payment_method: PaymentMethod;
  readonly payment_plan: PaymentPlanCode;
}

/** What checkout refuses although the cart reports nothing: it depends on the request, not on the cart. */
const impossiblePayments: readonly (readonly [Payment, field: string])[] = [
  [{ payment_method: "gateway", payment_plan: "full" }, "payment_method"],
  [{ payment_method: "bank_transfer", payment_plan: "deposit" }, "payment_plan"],
];
const byTransfer: Payment = { payment_method: "bank_transfer", payment_plan: "full" };

function refusalOf(reading: CartReading, request: Payment & { coupon?: string } = byTransfer) {
  const shop = { settings, gatewayReady: false };
  try {
    finalPricing(reading, request, shop);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, refusal } = error;
    const [field] = Object.keys(refusal.errors ?? {});
    return { code, message, field, details: refusal.details };
  }
}

test.each(codes)("a cart that reports %s is refused at checkout with its error", (reported) => {
  const [change, code, field] = cases[reported];
  const reading = change(sound);
  expect(requirementsOf(reading)).toMatchObject([{ code: reported }]);
  const message = requirementsOf(reading)[0]?.message;
  expect(refusalOf(reading)).toMatchObject({ code, message, field });
});

test("checkout refuses nothing that the cart does not report, but an impossible payment and a changed price", () => {
  expect(requirementsOf(sound)).toEqual([]);
  expect(refusalOf(sound)).toBeUndefined();
  for (const [payment, field] of impossiblePayments) {
    expect(refusalOf(sound, payment)).toMatchObject({ code: "validation_failed", field });
  }
  const dearer = { ...sound, lines: [{ line: { ...line, last_price: 1 }, requirement: null }] };
  expect(requirementsOf(dearer)).toEqual([]);
  expect(refusalOf(dearer)).toMatchObject({ code: "price_changed" });
});

test("of several problems, checkout refuses the first that the cart reports, and a slot after the payment", () => {
  const some = fc.subarray(codes, { minLength: 1 });
  const payments = fc.constantFrom(undefined, ...impossiblePayments);
  fc.assert(
    fc.property(some, payments, (present, impossible) => {
      const reading = having(present);
      const [first] = requirementsOf(reading);
      expect(first?.code).toBe(present[0]);
      const [, code, field] = cases[present[0]!];
      const expected =
        impossible && afterPayment.has(present[0]!)
          ? { code: "validation_failed", field: impossible[1] }
          : { code, field };
      expect(refusalOf(reading, impossible?.[0])).toMatchObject(expected);
    }),
  );
});

test("the error of a line names everything that the cart reports, and that of a slot the slot alone", () => {
  const all = ["quote_expired", "coupon_invalid", "area_not_served", "slot_required"] as const;
  const reading = having(all);
  expect(refusalOf(reading)?.details).toEqual({ requirements: requirementsOf(reading) });
  const untimed = withSlot({ kind: "required" })(sound);
  expect(refusalOf(untimed)?.details).toEqual({ requirements: requirementsOf(untimed) });
});

test("a refused coupon is a field of the request that sent it, and a second quote's coupon a changed cart", () => {
  const refused = cases.coupon_invalid[0](sound);
  const sent = { ...byTransfer, coupon: "WELCOME10" };
  expect(refusalOf(refused, sent)).toMatchObject({ code: "validation_failed", field: "coupon" });
  expect(refusalOf(withLine("coupon_invalid")(sound), sent)).toMatchObject({
    code: "cart_changed",
  });
});
