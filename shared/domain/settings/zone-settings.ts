import * as z from "zod";
import { Country } from "../contact/postal-code.ts";
import { Code } from "../base/names.ts";
import { MachineText, readsAs, withoutSpaces } from "../base/machine-text.ts";
import { Text } from "../base/text.ts";

export const ShippingMethodCode = z.enum(["standard", "room_of_choice", "white_glove", "pickup"]);
export type ShippingMethodCode = z.output<typeof ShippingMethodCode>;

const PostalPrefix = MachineText(10)
  .overwrite((prefix) => withoutSpaces(prefix).toUpperCase())
  .check(readsAs(/^[A-Z0-9]{1,10}$/));

/** The part of a country that a zone covers. Without prefixes, the zone covers the whole country. */
export const area = {
  code: Code,
  name: Text(80),
  country: Country,
  postal_prefixes: z.array(PostalPrefix).max(500),
};

/** Adds an issue at the code of every entry that repeats an earlier entry's code. */
export function requireDistinctCodes(
  path: readonly (string | number)[],
  entries: readonly { readonly code: string }[],
  context: z.core.$RefinementCtx,
  what: string,
): void {
  const known = new Set<string>();
  for (const [index, { code }] of entries.entries()) {
    if (known.has(code)) {
      context.addIssue({
        code: "custom",
        path: [...path, index, "code"],
        message: `Another ${what} has the code ${code}.`,
      });
    }
    known.add(code);
  }
}

interface Area {
  readonly name: string;
  readonly country: string;
  readonly postal_prefixes: readonly string[];
}

/**
 * Adds an issue at every prefix that an earlier zone of the country covers or that its zone repeats, and at every zone
 * of a whole country that an earlier zone covers: the first zone applies, so these never would.
 */
export function requireReachableAreas(
  zones: readonly Area[],
  context: z.core.$RefinementCtx,
): void {
  /** Country and prefix → the first zone that has it. */
  const known = new Map<string, number>();
  for (const [index, { country, postal_prefixes }] of zones.entries()) {
    // A zone without prefixes covers every postal code, as an empty prefix does.
    const prefixes = postal_prefixes.length === 0 ? [""] : postal_prefixes;
    for (const [position, prefix] of prefixes.entries()) {
      const shorter = Array.from(prefix, (_, length) =>
        known.get(country + prefix.slice(0, length)),
      );
      const owner =
        known.get(country + prefix) ?? shorter.find((each) => each !== undefined && each < index);
      if (owner === undefined) {
        known.set(country + prefix, index);
        continue;
      }
      const path = ["zones", index, "postal_prefixes"];
      const what = prefix === "" ? "every postal code of this country" : prefix;
      context.addIssue({
        code: "custom",
        path: prefix === "" ? path : [...path, position],
        message: `The zone ${zones[owner]?.name} already covers ${what}.`,
      });
    }
  }
}

/** A time of day in the store's timezone. */
export const ClockTime = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "Write the time as HH:MM, such as 09:30.")
  .meta({ example: "09:30" });

export type ClockTime = z.output<typeof ClockTime>;
