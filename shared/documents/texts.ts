import { fractionDigits } from "#shared/domain/base/money.ts";
import { memoized } from "#shared/domain/base/memoize.ts";
import type { PostalAddress } from "#shared/domain/contact/postal-address.ts";
import type { LineIdentity } from "#shared/domain/pricing/priced-line.ts";
import type { TaxComponent } from "#shared/domain/pricing/tax.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";

const numbersIn = memoized(
  (locale: string, digits: string) =>
    new Intl.NumberFormat(locale, {
      minimumFractionDigits: Number(digits),
      maximumFractionDigits: Number(digits),
    }),
);

/** An amount without its currency, as columns show it: `45,990.00`. */
export function plainAmount({ locale }: StoreSettings, amount: number, currency: string): string {
  const digits = fractionDigits(currency);
  return numbersIn(locale, String(digits)).format(amount / 10 ** digits);
}

/** Basis points in percent: `18 %`, `2.5 %`. */
export const percent = (bps: number): string => `${bps / 100} %`;

/** The rate and amount of a line's tax; empty if it has none. */
export function taxText(
  store: StoreSettings,
  { tax, tax_components }: { tax: number; tax_components: readonly TaxComponent[] },
  currency: string,
): string {
  const bps = tax_components.reduce((sum, component) => sum + component.bps, 0);
  return bps === 0 ? "" : `${percent(bps)}\n${plainAmount(store, tax, currency)}`;
}

const countryNames = memoized(() => new Intl.DisplayNames("en", { type: "region" }));

/** The English name of a country. */
export const countryName = (country: string): string => countryNames().of(country) ?? country;

/** The lines of an address, as on an envelope. */
export const addressLines = (address: PostalAddress): string[] =>
  [
    address.name,
    address.line1,
    address.line2,
    address.landmark,
    [address.city, address.state, address.postal_code].filter(Boolean).join(", "),
    countryName(address.country),
  ].flatMap((line) => line || []);

/** The chosen options and the SKU. */
export const lineDetails = ({ choices, sku }: Pick<LineIdentity, "choices" | "sku">): string[] => [
  ...choices.map(({ label, value }) => `${label}: ${value}`),
  ...(sku === null ? [] : [`SKU ${sku}`]),
];

/** The name of a tax number: in India it is the GSTIN. */
export const taxIdLabel = ({ country }: Pick<StoreSettings, "country">): string =>
  country === "IN" ? "GSTIN" : "Tax number";

/** The seller as the current settings name it. */
export function sellerLines(store: StoreSettings): { name: string; lines: string[] } {
  const { name, legal_name, address_lines, tax_id, contact } = store;
  return {
    name,
    lines: [
      ...(legal_name === name ? [] : [legal_name]),
      ...address_lines,
      ...(tax_id === null ? [] : [`${taxIdLabel(store)}: ${tax_id}`]),
      ...[contact.phone, contact.email].filter((way) => way !== null),
    ],
  };
}
