import { expect, it } from "vitest";
import { currencies, decimalAmount, fractionDigits } from "#shared/domain/base/money.ts";

it("an amount is formatted with the number of decimals of its currency", () => {
  expect(decimalAmount(459_900, "INR")).toBe("4599.00");
  expect(decimalAmount(5, "INR")).toBe("0.05");
  expect(decimalAmount(4599, "JPY")).toBe("4599");
  expect(decimalAmount(4599, "KWD")).toBe("4.599");
});

it.each([...currencies])(
  "the currency %s has at least as many decimals as Intl shows for it",
  (currency) => {
    const format = new Intl.NumberFormat("en", { style: "currency", currency });
    const { maximumFractionDigits: daily = 2 } = format.resolvedOptions();
    expect(fractionDigits(currency)).toBeGreaterThanOrEqual(daily);
  },
);

it("replaced currencies, such as those that became the euro, are unknown", () => {
  for (const replaced of ["BGN", "DEM", "HRK", "ANG", "XXX"])
    expect(currencies).not.toContain(replaced);
});
