import * as z from "zod";
import { LimitedString } from "../base/text.ts";
import { settingDefaults } from "./setting-defaults.ts";

const { paths } = settingDefaults.seo;

const pathWithSlug = /^\/(?!\/)[\w.~!$&'()*+,;=:@/-]*\{slug\}[\w.~!$&'()*+,;=:@/-]*$/;

const path = (preset: string) =>
  LimitedString(200)
    .refine((text) => pathWithSlug.test(text), {
      message: `Give a path that contains {slug} once, such as ${preset}.`,
    })
    .default(preset);

/** The paths of the storefront's pages, by the kind of record that a page shows. */
export const StorefrontPaths = z.strictObject({
  product: path(paths.product),
  sofa: path(paths.sofa),
  page: path(paths.page),
  story: path(paths.story),
  category: path(paths.category),
});
export type StorefrontPaths = z.output<typeof StorefrontPaths>;

/** Whether a path such as `/{slug}` also matches pages of the storefront that show no record, such as `/cart`. */
export const isAtRoot = (path: string): boolean => path.startsWith("/{slug}");
