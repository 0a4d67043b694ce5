import * as z from "zod";
import { memoized } from "../base/memoize.ts";
import { countryStates } from "./country-states.ts";
import { indianStates } from "./place-of-supply.ts";
import { Country, postalRuleOf } from "./postal-code.ts";

/** What an address form asks in a country. */
export const CountryAddress = z.object({
  code: Country,
  name: z.string(),
  address: z.object({
    postal_code: z.enum(["required", "optional", "none"]),
    pattern: z.string().nullable().meta({
      description:
        "Pattern of the whole postal code, as HTML's `pattern` takes it; null if unknown",
      example: "[1-9]\\d{5}",
    }),
    states: z
      .array(z.object({ code: z.string(), name: z.string() }))
      .nullable()
      .meta({ description: "null if addresses name no state" }),
  }),
});
export type CountryAddress = z.output<typeof CountryAddress>;
type States = CountryAddress["address"]["states"];

const names = memoized(() => new Intl.DisplayNames("en", { type: "region" }));

const statesByCountry = memoized((): ReadonlyMap<string, States> => {
  const lines = countryStates.trim().split("\n");
  const read = lines.map((line): [string, States] => {
    const [country = "", ...states] = line.split("~");
    return [country, states.map(stateIn)];
  });
  return new Map([...read, ["IN", indianStates().map(({ code, name }) => ({ code, name }))]]);
});

function stateIn(text: string) {
  const [code = "", name = code] = text.split("=");
  return { code, name };
}

/**
 * What an address form asks in a country, by the tables that judge addresses: `postal-formats.ts` (4 KB) and
 * `country-states.ts` (20 KB) from Google's address data, `indian-states.ts` (3 KB) from India Post.
 */
export const countryAddress = (code: Country): CountryAddress => ({
  code,
  name: names().of(code) ?? code,
  address: { ...postalRuleOf(code), states: statesByCountry().get(code) ?? null },
});
