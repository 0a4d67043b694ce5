import * as z from "zod";
import { BasisPoints } from "../base/money.ts";
import { Code, type Problem } from "../base/names.ts";
import { Text } from "../base/text.ts";
import { settingDefaults } from "./setting-defaults.ts";
import { area, requireDistinctCodes, requireReachableAreas } from "./zone-settings.ts";

export const TaxComponentRate = z.strictObject({
  code: Code,
  label: Text(40),
  bps: BasisPoints.max(10_000),
});
export type TaxComponentRate = z.output<typeof TaxComponentRate>;

export const TaxZone = z.strictObject({
  ...area,
  /** Tax class → its components. A class that is not listed is taxed as the default class. */
  classes: z.record(Code, z.array(TaxComponentRate).max(6)),
});
export type TaxZone = z.output<typeof TaxZone>;

export const TaxSettings = z
  .strictObject({
    /** Whether catalog prices include tax. Shipping prices always do. */
    prices_include_tax: z.boolean(),
    default_class: Code,
    shipping_class: Code,
    /** The zone for a cart without a destination. */
    home_zone: Code,
    /** The first zone that covers a destination applies. A destination without a zone is not taxed. */
    zones: z.array(TaxZone).max(200),
    /** Invoices are numbered within a financial year, such as `FS/26-27/000123`: at most 16 characters. */
    invoice: z.strictObject({
      prefix: z.string().regex(/^[A-Z0-9]{1,3}$/),
      /** 1 is January. */
      year_starts_month: z.int().min(1).max(12),
    }),
    vouchers_for_advances: z
      .boolean()
      .default(settingDefaults.tax.vouchers_for_advances)
      .meta({
        description:
          "Whether a paid deposit gets a receipt voucher, and a refund voucher if it is refunded " +
          "and no invoice follows, as India requires. Applies to orders placed from now on",
      }),
  })
  .superRefine((tax, context) => {
    requireDistinctCodes(["zones"], tax.zones, context, "zone");
    requireReachableAreas(tax.zones, context);
    for (const [index, zone] of tax.zones.entries()) {
      for (const [name, components] of Object.entries(zone.classes)) {
        const path = ["zones", index, "classes", name];
        requireDistinctCodes(path, components, context, "component of the class");
      }
      if (!(tax.default_class in zone.classes)) {
        context.addIssue({
          code: "custom",
          path: ["zones", index, "classes"],
          message: `The zone ${zone.name} must include the default tax class ${tax.default_class}.`,
        });
      }
    }
    if (!taxClasses(tax).has(tax.shipping_class)) {
      context.addIssue({
        code: "custom",
        path: ["shipping_class"],
        message: "The shipping class must be one that a zone uses.",
      });
    }
    if (!tax.zones.some(({ code }) => code === tax.home_zone)) {
      context.addIssue({
        code: "custom",
        path: ["home_zone"],
        message: "The home zone must be one of the zones.",
      });
    }
  });
export type TaxSettings = z.output<typeof TaxSettings>;

/** The tax classes that products may have: the default class and the classes of all zones. */
export const taxClasses = ({
  default_class,
  zones,
}: Pick<TaxSettings, "default_class" | "zones">): Set<string> =>
  new Set([default_class, ...zones.flatMap(({ classes }) => Object.keys(classes))]);

/** Why a custom line cannot have a tax class, if it cannot. */
export const taxClassProblems = (
  path: string,
  taxClass: string,
  known: ReadonlySet<string>,
): Problem[] =>
  known.has(taxClass)
    ? []
    : [{ path, message: "The settings have no such tax class.", allowed: [...known] }];
