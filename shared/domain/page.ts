import * as z from "zod";
import { FaqSection, Hero, Link, PartId, RichText } from "./content.ts";
import { documentState } from "./document.ts";
import { Id } from "./ids.ts";
import { StoredPicture } from "./media.ts";
import { Slug } from "./names.ts";
import { Seo } from "./product.ts";
import { Html, Text, Timestamp } from "./text.ts";

const title = Text(120).nullable();

/** One part of a CMS page. */
export const PageBlock = z.discriminatedUnion("type", [
  z.strictObject({ id: PartId, type: z.literal("hero"), data: Hero }),
  z.strictObject({ id: PartId, type: z.literal("rich_text"), data: RichText }),
  z.strictObject({
    id: PartId,
    type: z.literal("image"),
    data: z.strictObject({ image: StoredPicture, caption: Text(300).nullable() }),
  }),
  z.strictObject({
    id: PartId,
    type: z.literal("gallery"),
    data: z.strictObject({ title, images: z.array(StoredPicture).min(1).max(40) }),
  }),
  z.strictObject({ id: PartId, type: z.literal("faq"), data: FaqSection }),
  z.strictObject({
    id: PartId,
    type: z.literal("cta"),
    data: z.strictObject({ title: Text(120), text: Text(300).nullable(), link: Link }),
  }),
  z.strictObject({
    id: PartId,
    type: z.literal("columns"),
    data: z.strictObject({
      columns: z
        .array(z.strictObject({ title, html: Html(10_000), image: StoredPicture.nullable() }))
        .min(2)
        .max(4),
    }),
  }),
  z.strictObject({
    id: PartId,
    type: z.literal("embed_map"),
    data: z.strictObject({
      title,
      address: Text(300),
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
    }),
  }),
]);
export type PageBlock = z.output<typeof PageBlock>;

/** What staff write of a page. */
export const PageContent = z.object({
  slug: Slug,
  title: Text(160),
  excerpt: Text(400).nullable(),
  blocks: z.array(PageBlock).max(60),
  seo: Seo,
});
export type PageContent = z.output<typeof PageContent>;

const id = Id("page");

/** A CMS page as staff edit it. */
export const Page = z.object({ id, ...PageContent.shape, ...documentState });
export type Page = z.output<typeof Page>;

/** A page as it was last published: what the public reads. */
export const LivePage = z.object({ id, ...PageContent.shape, published_at: Timestamp });
export type LivePage = z.output<typeof LivePage>;

/** The copy that the public reads; parsing leaves behind what is staff's alone. */
export const publishPage = (page: Page, now: Date): LivePage =>
  LivePage.parse({ ...page, published_at: page.published_at ?? now.toISOString() });
