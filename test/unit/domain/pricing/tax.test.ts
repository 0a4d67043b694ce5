import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { levies, taxOf } from "#shared/domain/pricing/tax.ts";
import { aTax } from "#test/support/shop/commerce.ts";

const gst = [
  { code: "cgst", label: "CGST", bps: 900 },
  { code: "sgst", label: "SGST", bps: 900 },
];

describe("the tax of an amount", () => {
  test("at 18 % GST, included in ₹45,990.00, is ₹7,015.42, half in each component", () => {
    const { tax, components } = taxOf(4_599_000, gst, { inclusive: true });
    expect(tax).toBe(701_542);
    expect(components.map(({ amount }) => amount)).toEqual([350_771, 350_771]);
  });

  test("at 18 % GST, added to ₹38,974.58, is ₹7,015.42", () => {
    expect(taxOf(3_897_458, gst, { inclusive: false }).tax).toBe(701_542);
  });

  test("is rounded per component, so that no remainder must be distributed", () => {
    const { tax, components } = taxOf(50, gst, { inclusive: false });
    expect(components.map(({ amount }) => amount)).toEqual([4, 4]);
    expect(tax).toBe(8);
    expect(taxOf(57, gst, { inclusive: true }).components.map(({ amount }) => amount)).toEqual([
      4, 4,
    ]);
  });

  test("is rounded half to even", () => {
    const rate = [{ code: "vat", label: "VAT", bps: 500 }];
    expect(taxOf(10, rate, { inclusive: false }).tax).toBe(0);
    expect(taxOf(30, rate, { inclusive: false }).tax).toBe(2);
    expect(taxOf(50, rate, { inclusive: false }).tax).toBe(2);
  });

  test("is zero if no tax rate applies", () => {
    expect(taxOf(4_599_000, [], { inclusive: true })).toEqual({ tax: 0, components: [] });
  });

  test("is the sum of its components; each is within one unit of its exact amount, and equal rates have equal components", () => {
    const rates = fc.array(
      fc.record({
        code: fc.constant("t"),
        label: fc.constant("T"),
        // The generator prefers a few fixed rates, so that equal rates occur.
        bps: fc.oneof(
          fc.constantFrom(250, 900, 1_400, 10_000),
          fc.integer({ min: 0, max: 10_000 }),
        ),
      }),
      { maxLength: 6 },
    );
    const amount = fc.integer({ min: 0, max: 1_000_000_000_000 });
    fc.assert(
      fc.property(amount, rates, fc.boolean(), (of, list, inclusive) => {
        const { tax, components } = taxOf(of, list, { inclusive });
        expect(components.reduce((sum, component) => sum + component.amount, 0)).toBe(tax);
        if (inclusive) expect(tax).toBeLessThanOrEqual(of);
        const base = 10_000 + (inclusive ? list.reduce((sum, { bps }) => sum + bps, 0) : 0);
        for (const { bps, amount } of components) {
          expect(
            components.filter((other) => other.bps === bps && other.amount !== amount),
          ).toEqual([]);
          const off = BigInt(amount) * BigInt(base) - BigInt(of) * BigInt(bps);
          // If the amount is only a few units, a component may be off by a whole unit.
          const most = of <= 6 ? BigInt(base) : BigInt(base) / 2n;
          expect(off <= most && -off <= most).toBe(true);
        }
      }),
    );
  });
});

describe("the tax rates that apply", () => {
  const codes = (...of: Parameters<typeof levies>) =>
    levies(...of).map(({ code, bps }) => [code, bps]);

  test("are those of the first zone that covers the postal code", () => {
    const tax = aTax();
    expect(codes(tax, "standard", { country: "IN", postal_code: "560 001" })).toEqual([
      ["cgst", 900],
      ["sgst", 900],
    ]);
    expect(codes(tax, "standard", { country: "IN", postal_code: "110001" })).toEqual([
      ["igst", 1800],
    ]);
  });

  test("are empty if no zone covers the postal code", () => {
    expect(codes(aTax(), "standard", { country: "SG", postal_code: "018956" })).toEqual([]);
  });

  test("are those of the home zone if there is no destination", () => {
    expect(codes(aTax(), "reduced", null)).toEqual([
      ["cgst", 250],
      ["sgst", 250],
    ]);
  });

  test("are those of the default tax class if the zone does not define the class", () => {
    const destination = { country: "IN", postal_code: "110001" };
    expect(codes(aTax(), "unheard-of", destination)).toEqual([["igst", 1800]]);
    expect(codes(aTax(), "constructor", destination)).toEqual([["igst", 1800]]);
  });
});
