import * as z from "zod";
import { LimitedString } from "../base/text.ts";
import { defaultPaths } from "./default-paths.ts";

const pathWithSlug = /^\/(?!\/)[\w.~!$&'()*+,;=:@/-]*\{slug\}[\w.~!$&'()*+,;=:@/-]*$/;

const path = (preset: string) =>
  LimitedString(200)
    .refine((text) => pathWithSlug.test(text), {
      message: `Give a path that contains {slug} once, such as ${preset}.`,
    })
    .default(preset);

/** The paths of the storefront's pages, by the kind of record that a page shows. */
export const StorefrontPaths = z.strictObject({
  product: path(defaultPaths.product),
  sofa: path(defaultPaths.sofa),
  page: path(defaultPaths.page),
  story: path(defaultPaths.story),
  category: path(defaultPaths.category),
});
export type StorefrontPaths = z.output<typeof StorefrontPaths>;

/** Whether a path such as `/{slug}` also matches pages of the storefront that show no record, such as `/cart`. */
export const isAtRoot = (path: string): boolean => path.startsWith("/{slug}");
