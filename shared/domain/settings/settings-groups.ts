import * as z from "zod";
import { inKeyOrder } from "../base/members.ts";
import { CountryAddress, countryAddress } from "../contact/country-address.ts";
import {
  EmailSettings,
  MessagingSettings,
  SecuritySettings,
  SeoSettings,
  SearchSettings,
} from "./further-settings.ts";
import { ReturnSettings } from "./return-settings.ts";
import {
  type AllSettings,
  CheckoutSettings,
  PaymentMethod,
  PaymentSettings,
  type SettingsGroup,
  isOffered,
  listingItsOwn,
} from "./settings.ts";
import { ShippingSettings } from "./shipping-settings.ts";
import { StoreSettings } from "./store-settings.ts";
import { TaxSettings } from "./tax-settings.ts";

/** The schema of every group. */
export const settingsGroups = {
  store: StoreSettings.overwrite(listingItsOwn),
  checkout: CheckoutSettings,
  payments: PaymentSettings,
  shipping: ShippingSettings,
  tax: TaxSettings,
  email: EmailSettings,
  messaging: MessagingSettings,
  seo: SeoSettings,
  security: SecuritySettings,
  search: SearchSettings,
  returns: ReturnSettings,
} as const satisfies { [Group in SettingsGroup]: z.ZodType<AllSettings[Group]> };

/** The public part of the settings. */
export const PublicSettings = z.object({
  store: StoreSettings.pick({
    name: true,
    currency: true,
    locale: true,
    timezone: true,
    country: true,
    contact: true,
  }),
  payment_methods: z.array(
    z.object({
      code: PaymentMethod,
      label: z.string(),
      enabled: z.boolean(),
      publishable_key: z.string().nullable().meta({
        description:
          "The gateway's public key; null for other methods, and while it is not enabled",
      }),
    }),
  ),
  countries: z
    .array(CountryAddress)
    .meta({ description: "The countries to which the shop delivers" }),
  features: z.record(z.string(), z.boolean()),
  seo: SeoSettings.omit({ paths: true }),
});
export type PublicSettings = z.output<typeof PublicSettings>;

/** Lists every public member: a new member of a group stays private until it is added here. */
export function publicSettings({
  store,
  payments,
  shipping,
  seo,
}: Pick<AllSettings, "store" | "payments" | "shipping" | "seo">): PublicSettings {
  const { name, currency, locale, timezone, country, contact, features } = store;
  const { default_title, default_description, og_image_url, indexable } = seo;
  return {
    store: { name, currency, locale, timezone, country, contact },
    payment_methods: PaymentMethod.options.map((code) => {
      const enabled = isOffered(code, payments);
      const publishable_key = code === "gateway" && enabled ? payments[code].publishable_key : null;
      return { code, label: payments[code].label, enabled, publishable_key };
    }),
    countries: [...new Set(shipping.zones.map(({ country }) => country))].map(countryAddress),
    features: inKeyOrder(features),
    seo: { default_title, default_description, og_image_url, indexable },
  };
}
