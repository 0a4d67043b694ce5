import { expect, it } from "vitest";
import { currencies, decimalAmount, fractionDigits } from "#shared/domain/base/currency.ts";

it("an amount is formatted with the number of decimals of its currency", () => {
  expect(decimalAmount(459_900, "INR")).toBe("4599.00");
  expect(decimalAmount(5, "INR")).toBe("0.05");
  expect(decimalAmount(4599, "JPY")).toBe("4599");
  expect(decimalAmount(4599, "KWD")).toBe("4.599");
});

it.each([...currencies])("%s has at least as many decimals as Intl formats", (currency) => {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const { maximumFractionDigits: daily = 2 } = format.resolvedOptions();
  expect(fractionDigits(currency)).toBeGreaterThanOrEqual(daily);
});

it("currencies that were replaced, such as by the euro, are refused as unknown", () => {
  for (const replaced of ["BGN", "DEM", "HRK", "ANG", "XXX"])
    expect(currencies).not.toContain(replaced);
});
