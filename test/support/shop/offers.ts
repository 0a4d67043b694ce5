import type { OfferSettings } from "#shared/domain/seo/offers.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { aStore, aTax, aZone, someShipping } from "./commerce.ts";

/** The settings that offers depend on. */
export const someOfferSettings = (overrides: Partial<OfferSettings> = {}): OfferSettings => ({
  store: aStore(),
  seo: defaultSettings.seo,
  shipping: someShipping([aZone()]),
  tax: aTax(),
  ...overrides,
});
