import * as z from "zod";
import { Money } from "../base/money.ts";
import { Text } from "../base/text.ts";
import { SlotSettings } from "./slot-settings.ts";
import { settingDefaults } from "./setting-defaults.ts";
import {
  area,
  requireDistinctCodes,
  requireReachableAreas,
  ShippingMethodCode,
} from "./zone-settings.ts";

/** The price of a consignment up to a weight and a volume. Null means no limit. */
export const RateBand = z.strictObject({
  max_weight_g: z.int().min(1).nullable(),
  max_volume_cm3: z.int().min(1).nullable(),
  /** Including tax. */
  amount: Money,
});
export type RateBand = z.output<typeof RateBand>;

/** Adds an issue at every band that never applies, because one before it carries as much. */
function requireReachableBands(bands: readonly RateBand[], context: z.core.$RefinementCtx): void {
  const limits = bands.map(({ max_weight_g, max_volume_cm3 }) => ({
    weight: max_weight_g ?? Infinity,
    volume: max_volume_cm3 ?? Infinity,
  }));
  for (const [index, { weight, volume }] of limits.entries()) {
    const before = limits.slice(0, index);
    if (!before.some((each) => each.weight >= weight && each.volume >= volume)) continue;
    const message = "A band before this one carries as much, so this one never applies.";
    context.addIssue({ code: "custom", path: [index], message });
  }
}

export const ShippingMethodSettings = z.strictObject({
  code: ShippingMethodCode,
  label: Text(60),
  includes: z.array(Text(120)).max(12),
  transit_days: z
    .strictObject({ min: z.int().min(0).max(90), max: z.int().min(0).max(90) })
    .refine(({ min, max }) => min <= max, {
      path: ["max"],
      message: "The max field must be at least the min field.",
    }),
  /** Shipping is free from this item total, after discounts; null if shipping is never free. */
  free_above: Money.nullable(),
  /** Smallest first. The first band that fits determines the price. If none fits, the method is not offered. */
  bands: z.array(RateBand).min(1).max(50).superRefine(requireReachableBands),
});
export type ShippingMethodSettings = z.output<typeof ShippingMethodSettings>;

export const ShippingZone = z.strictObject({
  ...area,
  cod: z.boolean(),
  methods: z.array(ShippingMethodSettings).min(1).max(4),
});
export type ShippingZone = z.output<typeof ShippingZone>;

/** The first zone that covers a destination applies. A destination without a zone is not served. */
export const ShippingSettings = z
  .strictObject({
    zones: z.array(ShippingZone).max(200),
    slots: SlotSettings.default(settingDefaults.shipping.slots),
  })
  .superRefine(({ zones, slots }, context) => {
    requireDistinctCodes(["zones"], zones, context, "zone");
    requireReachableAreas(zones, context);
    for (const [index, { methods }] of zones.entries()) {
      requireDistinctCodes(["zones", index, "methods"], methods, context, "method");
    }
    for (const code of Object.keys(slots.zones)) {
      if (zones.some((zone) => zone.code === code)) continue;
      context.addIssue({
        code: "custom",
        path: ["slots", "zones", code],
        message: "There is no delivery zone with this code.",
      });
    }
  });
export type ShippingSettings = z.output<typeof ShippingSettings>;
