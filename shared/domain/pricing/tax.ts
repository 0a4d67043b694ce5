import * as z from "zod";
import { BasisPoints, MoneySum, roundHalfEven } from "../base/money.ts";
import { type Destination, zoneOf } from "../contact/postal-code.ts";
import type { TaxComponentRate, TaxSettings } from "../settings/tax-settings.ts";

/** One component of a tax amount, such as CGST. */
export const TaxComponent = z.object({
  code: z.string(),
  label: z.string(),
  bps: BasisPoints,
  amount: MoneySum,
});
export type TaxComponent = z.output<typeof TaxComponent>;

/** A tax amount. Its components add up to it exactly. */
export const Tax = z.object({ tax: MoneySum, components: z.array(TaxComponent) });
export type Tax = z.output<typeof Tax>;

/**
 * The tax components of a tax class at a destination; without a destination, the components in the shop's home zone.
 */
export function levies(
  settings: TaxSettings,
  taxClass: string,
  destination: Destination | null,
): readonly TaxComponentRate[] {
  const zone = destination
    ? zoneOf(settings.zones, destination)
    : settings.zones.find(({ code }) => code === settings.home_zone);
  if (!zone) return [];
  const named = Object.hasOwn(zone.classes, taxClass) ? taxClass : settings.default_class;
  return zone.classes[named] ?? [];
}

/**
 * The tax on an amount. Each component is rounded separately, half to even, and the tax is their sum. So components
 * with equal rates, such as CGST and SGST, are always equal.
 *
 * @param inclusive whether the amount includes the tax; otherwise the tax is added
 */
export function taxOf(
  amount: number,
  rates: readonly TaxComponentRate[],
  { inclusive }: { inclusive: boolean },
): Tax {
  const base = 10_000 + (inclusive ? sumOf(rates.map(({ bps }) => bps)) : 0);
  const amounts = rates.map(({ bps }) => roundHalfEven(BigInt(amount) * BigInt(bps), base));
  // If many high rates on a tiny amount are all rounded up, their sum may exceed the amount that includes them. All are
  // then rounded down.
  const within = !inclusive || sumOf(amounts) <= amount;
  const components = rates.map((rate, index) => ({
    ...rate,
    amount: within ? amounts[index]! : Number((BigInt(amount) * BigInt(rate.bps)) / BigInt(base)),
  }));
  return { tax: sumOf(components.map((component) => component.amount)), components };
}

const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + amount, 0);
