import * as z from "zod";
import { Slug } from "../base/names.ts";
import { PublicPicture } from "../upload/public-picture.ts";

/** A category on the way to a page of the storefront. */
export const Breadcrumb = z.object({
  slug: Slug,
  name: z.string(),
  path: z.string().nullable().meta({
    description: "Path of the storefront's page; null for a collection, room or style",
    example: "/categories/sofas",
  }),
});
export type Breadcrumb = z.output<typeof Breadcrumb>;

export const Breadcrumbs = z
  .array(Breadcrumb)
  .meta({ description: "From the top category to the page's own" });

/** The head of a page of the storefront, for search engines and link previews. */
export const PageSeo = z.object({
  title: z.string().meta({ description: "Staff's title, or else the name" }),
  description: z.string().nullable().meta({
    description: "Staff's description, or else the beginning of the text",
  }),
  canonical_path: z.string().nullable().meta({
    description: "Path of the storefront's page; null for a collection, room or style",
    example: "/products/kaveri-lounge-chair",
  }),
  image: PublicPicture.nullable(),
});
/** The head before its response. */
export type PageSeo = z.input<typeof PageSeo>;
