import * as z from "zod";
import { currencies, BasisPoints, Currency } from "../base/money.ts";
import { memoized } from "../base/memoize.ts";
import { machineText } from "../base/machine-text.ts";
import { Code } from "../base/names.ts";
import { Email, LimitedString, Phone, Text } from "../base/text.ts";
import { BaseAddress } from "../base/web-address.ts";
import { Country } from "../contact/postal-code.ts";
import { settingDefaults } from "./setting-defaults.ts";

const regionNames = memoized(
  () => new Intl.DisplayNames("en", { type: "region", fallback: "none" }),
);
/** The code of an unknown region. */
const unknownRegion = "ZZ";

function isLocale(tag: string): boolean {
  try {
    const { region } = new Intl.Locale(tag);
    const known = region === undefined || regionNames().of(region) !== undefined;
    const [supported] = Intl.NumberFormat.supportedLocalesOf(tag);
    return supported === tag && known && region !== unknownRegion;
  } catch {
    return false;
  }
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** A BCP 47 tag with an existing language and, if it names one, an existing country. */
export const Locale = LimitedString(35)
  .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/)
  .refine(isLocale, "The locale must be a real language tag, such as en-IN.")
  .meta({ description: "BCP 47 language tag", example: "en-IN" });

const CirculatingCurrency = Currency.refine(
  (code) => currencies.has(code),
  "The currency must be an ISO 4217 code, such as INR.",
);

export const StoreSettings = z.strictObject({
  name: Text(80),
  legal_name: Text(120),
  /** The seller's tax number, printed on invoices. */
  tax_id: Text(40).overwrite(machineText).nullable(),
  address_lines: z.array(Text(120)).max(8),
  currency: CirculatingCurrency,
  locale: Locale,
  /** The currencies and locales that customers may choose; the shop's own are always included. */
  currencies: z.array(CirculatingCurrency).max(50).default([]),
  locales: z.array(Locale).max(50).default([]),
  /** The IANA name of the shop's timezone. */
  timezone: LimitedString(60).refine(isTimezone, "The timezone field must be a valid timezone."),
  country: Country,
  contact: z.strictObject({
    email: Email.nullable(),
    phone: Phone.nullable(),
    whatsapp: Phone.nullable(),
  }),
  storefront_url: BaseAddress,
  admin_url: BaseAddress,
  /** Further hosts that redirects may lead to. */
  redirect_hosts: z.array(LimitedString(253).regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/)).max(50),
  /** The smallest price drop that product alerts announce. */
  min_drop_bps: BasisPoints.max(10_000).default(settingDefaults.store.min_drop_bps),
  /** Switches that the storefront may read. */
  features: z.record(Code, z.boolean()),
});
export type StoreSettings = z.output<typeof StoreSettings>;

/** Hosts that redirects may lead to: the storefront's own and those in `redirect_hosts`. */
export const redirectHosts = ({
  storefront_url,
  redirect_hosts,
}: Pick<StoreSettings, "storefront_url" | "redirect_hosts">): string[] => [
  new URL(storefront_url).hostname,
  ...redirect_hosts,
];
