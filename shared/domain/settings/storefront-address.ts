import type { AllSettings } from "./settings.ts";
import type { StorefrontPaths } from "./storefront-paths.ts";

/** The settings from which the addresses of the storefront's pages are made. */
export type StorefrontSettings = Pick<AllSettings, "store" | "seo">;

/** The address of a page of the storefront. @param path such as `/`, or with the record's slug already in it */
export const storefrontAddress = (
  { store: { storefront_url } }: Pick<StorefrontSettings, "store">,
  path: string,
): string => storefront_url.replace(/\/+$/, "") + path;

/** The path of the storefront's page that shows a record. */
export const pagePath = (
  { seo: { paths } }: Pick<StorefrontSettings, "seo">,
  kind: keyof StorefrontPaths,
  slug: string,
): string => paths[kind].replace("{slug}", () => slug);

/** The address of the storefront's page that shows a record. */
export const pageAddress = (
  settings: StorefrontSettings,
  kind: keyof StorefrontPaths,
  slug: string,
): string => storefrontAddress(settings, pagePath(settings, kind, slug));
