import { describe, expect, test } from "vitest";
import { PrintedInvoice, printedInvoice } from "#shared/domain/order/invoice/invoice-view.ts";
import { StoredOrder } from "#shared/domain/order/order.ts";
import { Order, TrackedOrder } from "#shared/domain/order/view/buyer-order.ts";
import {
  orderForBuyer,
  orderForTracking,
  paymentOf,
} from "#shared/domain/order/view/order-view.ts";
import { isFinal } from "#shared/domain/checkout/final-pricing.ts";
import { priceCart } from "#shared/domain/pricing/totals.ts";
import {
  aCoupon,
  aCouponCase,
  aPricedLine,
  aPricing,
  aStore,
  anId,
  noon,
  somePayments,
  someSettings,
  someShipping,
} from "#test/support/shop/commerce.ts";
import { aPlacement } from "#test/support/shop/placed-orders.ts";

const lines = [
  aPricedLine({ unit_price: 3_335, quantity: 2 }),
  aPricedLine({
    id: anId("line", 2),
    kind: "sofa",
    product_id: null,
    variant_id: null,
    sofa_id: anId("sofa"),
    sku: null,
    name: "Fjord sofa",
    configuration: { size: "three-seater" },
    configuration_id: "a1",
    unit_price: 9_999_900,
    choices: [{ option: "size", label: "Size", value: "Three seats" }],
    price_lines: [{ code: "base", label: "Fjord", amount: 9_999_900 }],
    made_to_order: true,
    note: "Piping in blue",
  }),
];

const placed = (
  request: Parameters<typeof aPlacement>[0] = {},
  pricing: Parameters<typeof aPlacement>[1] = {},
) => aPlacement(request, { lines, coupon: aCouponCase(), ...pricing });

const noRows = { timeline: [], transactions: [], shipments: [], changes: [], returns: [] };

describe("placing an order", () => {
  test("creates a complete order whose total is the sum of its lines and shipping", () => {
    const { order } = placed();
    expect(StoredOrder.parse(order)).toEqual(order);
    const items = order.items.reduce((sum, { line_total }) => sum + line_total, 0);
    expect(order.totals.grand_total).toBe(items + order.totals.shipping);
    expect(order.items.reduce((sum, { line_discount }) => sum + line_discount, 0)).toBe(
      order.totals.discount,
    );
  });

  test("stores each line's options, tax and share of the discount", () => {
    const sofa = placed().order.items[1]!;
    expect(sofa).toMatchObject({
      configuration: { size: "three-seater" },
      choices: [{ option: "size", label: "Size", value: "Three seats" }],
      price_lines: [{ code: "base", label: "Fjord", amount: 9_999_900 }],
      note: "Piping in blue",
      line_discount: 999_990,
      line_total: 8_999_910,
      tax_components: [{ code: "cgst" }, { code: "sgst" }],
    });
  });

  test.each([
    ["cod", "confirmed", "cod_pending", null],
    ["bank_transfer", "pending_payment", "awaiting_transfer", "2026-11-22T06:30:00.000Z"],
    ["gateway", "pending_payment", "pending", "2026-11-21T07:00:00.000Z"],
  ] as const)(
    "by %s creates an order with status %s",
    (payment_method, status, payment_status, expires_at) => {
      const { order, timeline } = placed({ payment_method });
      expect(order).toMatchObject({ status, payment_status, expires_at });
      expect(timeline.map(({ type }) => type)).toEqual(["placed", status]);
    },
  );

  test("with a total of zero confirms the order immediately, even with gateway payment", () => {
    const whole = aCoupon({ benefit: { kind: "percent", bps: 10_000, cap: null } });
    const free = { ...aPricing().settings };
    const zones = free.shipping.zones.map((zone) => ({
      ...zone,
      methods: zone.methods.map((method) => ({ ...method, free_above: 0 })),
    }));
    const { order } = placed(
      { payment_method: "gateway" },
      {
        coupon: aCouponCase({ coupon: whole }),
        settings: { ...free, shipping: someShipping(zones) },
      },
    );
    expect(order).toMatchObject({
      status: "confirmed",
      payment_status: "paid",
      expires_at: null,
      totals: { grand_total: 0 },
    });
  });

  test.each([{ destination: null }, { method: null }, { method: "pickup" as const }])(
    "requires a final price, and the price is not final with %j",
    (overrides) => {
      expect(isFinal(priceCart(aPricing(overrides)))).toBe(false);
    },
  );
});

describe("a placed order", () => {
  const { order, timeline } = placed();
  const staffNote = { at: noon.toISOString(), type: "note", message: "Call first.", public: false };
  const rows = { ...noRows, timeline: [...timeline, staffNote] };
  const context = { settings: someSettings(), now: noon };

  test("shows the buyer neither staff timeline entries nor the hash of the access token", () => {
    const seen = orderForBuyer({ order, rows }, context);
    expect(Order.parse(seen)).toEqual(seen);
    expect(seen.timeline).toEqual(timeline);
    expect(seen.totals).toMatchObject({ paid: 0, refunded: 0, due: order.totals.grand_total });
    expect(JSON.stringify(seen)).not.toContain('"hash"');
  });

  test("has an invoice with the options of each line", () => {
    const invoice = { number: "FS/26-27/000001", issued_on: "2026-11-21" };
    const { lines: printed } = PrintedInvoice.parse(
      printedInvoice({ ...order, invoice }, aStore()),
    );
    expect(printed.map(({ choices }) => choices)).toEqual(
      order.items.map(({ choices }) => choices),
    );
  });

  test("has no email, phone, street or amount in tracking", () => {
    const seen = orderForTracking({ order, rows }, null);
    expect(TrackedOrder.parse(seen)).toEqual(seen);
    expect(seen).toMatchObject({
      first_name: "Asha",
      city: "Bengaluru",
      totals: null,
      payment_status: null,
    });
    const text = JSON.stringify(seen);
    for (const secret of ["Rao", "asha@", "98123", "Church", "560001", "9999900", "Call first"]) {
      expect(text).not.toContain(secret);
    }
  });

  test("has amounts and the payment status in tracking only if the request contains the order's email", () => {
    const seenBy = (email: string) => orderForTracking({ order, rows }, { email, ...context });
    expect(seenBy("other@example.com")).toMatchObject({ totals: null, allowed_actions: null });
    const seen = seenBy("asha@example.com");
    expect(seen.allowed_actions).toEqual(["pay", "cancel"]);
    expect(seen.totals).toMatchObject({ due: order.totals.grand_total });
    expect(seen.payment_status).toBe("awaiting_transfer");
  });

  test("contains the bank account while it awaits a bank transfer", () => {
    expect(paymentOf(order, somePayments())).toMatchObject({
      amount_due: order.totals.grand_total,
      action: { type: "bank_details", reference: order.number, expires_at: order.expires_at },
    });
    const expired = paymentOf({ ...order, status: "expired" }, somePayments());
    expect(expired).toMatchObject({ amount_due: 0, action: { type: "none" } });
  });

  test("contains no payment instructions for cash on delivery", () => {
    const { order: cod } = placed({ payment_method: "cod" });
    expect(paymentOf(cod, somePayments())).toMatchObject({
      status: "cod_pending",
      action: { type: "none" },
    });
  });
});
