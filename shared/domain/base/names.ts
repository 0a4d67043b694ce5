import * as z from "zod";
import { Id, type IdPrefix } from "./ids.ts";
import { MachineText, readsAs } from "./machine-text.ts";
import { LimitedString } from "./text.ts";

/** The readable name in a URL: `oslo-lounge-chair`. Unique per kind of record. */
export const Slug = LimitedString(80)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "A slug is lower-case letters, digits and single hyphens.")
  .meta({ example: "kaveri-lounge-chair" });
export type Slug = z.output<typeof Slug>;

/** How callers name a record that has both: by its id, of one of these kinds, or by its slug. */
export const IdOrSlug = (...kinds: readonly IdPrefix[]) =>
  z.union([...kinds.map((kind) => Id(kind)), Slug]).meta({ description: "Id or slug" });

/** The stock keeping unit: the shop's or supplier's code of an item. */
export const Sku = MachineText(64)
  .check(
    readsAs(
      /^[A-Z0-9]+(?:[-._][A-Z0-9]+)*$/,
      "A SKU is capital letters and digits, joined by - . or _.",
    ),
  )
  .meta({ example: "ACH-KAVERI-LOUNGE-OAT" });
export type Sku = z.output<typeof Sku>;

/** A name that clients and rules refer to: `seat_depth`, `teak`, `grey`. */
export const Code = LimitedString(60)
  .regex(
    /^[a-z0-9]+(?:[_-][a-z0-9]+)*$/,
    "A code is lower-case letters and digits, joined by _ or -.",
  )
  .meta({ example: "teak" });
export type Code = z.output<typeof Code>;

/** A code of goods in India's tariff, which invoices print. */
export const HsnCode = MachineText(8).check(readsAs(/^\d{4,8}$/));

/** `out_for_delivery` → `out for delivery`, for the middle of a sentence. */
export const spoken = (code: string): string => code.replaceAll("_", " ");

/** `oslo-lounge-chair` → `Oslo lounge chair`. */
export function inWords(name: string): string {
  const words = name.replaceAll(/[-_]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Only a record with the status `published` has a published copy. */
export const PublicationStatus = z.enum(["draft", "published", "archived"]);
export type PublicationStatus = z.output<typeof PublicationStatus>;

/** A problem in a record, at a dotted path such as `variants.0.sku`. */
export interface Problem {
  path: string;
  message: string;
  /** The values that would be right, if the rule knows them. */
  allowed?: readonly string[] | undefined;
}
