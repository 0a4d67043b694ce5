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

/** A time of day in the store's timezone. */
export const ClockTime = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "Write the time as HH:MM, such as 09:30.")
  .meta({ example: "09:30" });

export type ClockTime = z.output<typeof ClockTime>;
