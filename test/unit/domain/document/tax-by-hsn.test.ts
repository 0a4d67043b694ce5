import * as fc from "fast-check";
import { expect, test } from "vitest";
import { taxByHsn } from "#shared/domain/document/document.ts";

const goods = (hsn_code: string | null, taxable: number, bps: number, each: number) => ({
  hsn_code,
  taxable,
  tax: 2 * each,
  tax_components: ["cgst", "sgst"].map((code) => ({
    code,
    label: code.toUpperCase(),
    bps,
    amount: each,
  })),
});

test("adds up the goods of one code and rate, and keeps other rates of the code apart", () => {
  const rows = taxByHsn([
    goods("9401", 100, 900, 9),
    goods("9401", 50, 250, 1),
    goods("9401", 10, 900, 1),
  ]);
  expect(rows).toEqual([goods("9401", 110, 900, 10), goods("9401", 50, 250, 1)]);
});

test("leaves out what has no amount, such as free delivery", () => {
  expect(taxByHsn([goods("9401", 100, 900, 9), goods("Delivery", 0, 900, 0)])).toHaveLength(1);
});

test("loses no amount", () => {
  const some = fc.record({
    code: fc.constantFrom("9401", "9403", null),
    taxable: fc.nat(10_000),
    bps: fc.constantFrom(250, 900),
    each: fc.nat(900),
  });
  fc.assert(
    fc.property(fc.array(some), (all) => {
      const rows = taxByHsn(
        all.map(({ code, taxable, bps, each }) => goods(code, taxable, bps, each)),
      );
      const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
      expect(sum(rows.map(({ taxable }) => taxable))).toBe(sum(all.map(({ taxable }) => taxable)));
      expect(sum(rows.map(({ tax }) => tax))).toBe(sum(all.map(({ each }) => 2 * each)));
    }),
  );
});
