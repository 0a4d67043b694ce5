import * as z from "zod";
import type { Destination } from "./address.ts";
import { BasisPoints, MoneySum, roundHalfEven, shareOf, splitByLargestRemainder } from "./money.ts";
import { zoneOf } from "./postal-code.ts";
import type { TaxComponentRate, TaxSettings } from "./settings.ts";

/** One levy inside an amount of tax, such as CGST. */
export const TaxComponent = z.object({
  code: z.string(),
  label: z.string(),
  bps: BasisPoints,
  amount: MoneySum,
});
export type TaxComponent = z.output<typeof TaxComponent>;

/** An amount of tax; the components come to it exactly. */
export const Tax = z.object({ tax: MoneySum, components: z.array(TaxComponent) });
export type Tax = z.output<typeof Tax>;

/** What is levied on a tax class at a destination; without one, as in the shop's home zone. */
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
 * The tax on an amount, rounded once, half to even, then split into its components by largest remainder.
 *
 * @param inclusive whether the amount holds the tax already; else the tax comes on top
 */
export function taxOf(
  amount: number,
  rates: readonly TaxComponentRate[],
  { inclusive }: { inclusive: boolean },
): Tax {
  const bps = rates.reduce((sum, rate) => sum + rate.bps, 0);
  const tax = inclusive
    ? roundHalfEven(BigInt(amount) * BigInt(bps), 10_000 + bps)
    : shareOf(amount, bps);
  const parts = splitByLargestRemainder(
    tax,
    rates.map((rate) => rate.bps),
  );
  return { tax, components: rates.map((rate, index) => ({ ...rate, amount: parts[index]! })) };
}
