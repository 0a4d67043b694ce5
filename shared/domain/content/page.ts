import * as z from "zod";
import type { Card } from "../catalog/card.ts";
import {
  type FaqGroup,
  FaqPart,
  HeroPart,
  Link,
  PartId,
  type PlacedLink,
  ProductRailPart,
  PublicFaqPart,
  PublicHeroPart,
  PublicProductRailPart,
  RichTextPart,
  resolveRail,
} from "./content.ts";
import { documentState } from "./document.ts";
import { Id } from "../base/ids.ts";
import { StoredPicture } from "../upload/media.ts";
import { PublicPicture } from "../upload/public-picture.ts";
import { Slug } from "../base/names.ts";
import { PageSeo } from "../catalog/page-seo.ts";
import { Seo } from "../catalog/product.ts";
import { Html, Text, Timestamp } from "../base/text.ts";

const title = Text(120).nullable();

const ImageBlock = z.strictObject({
  id: PartId,
  type: z.literal("image"),
  data: z.strictObject({ image: StoredPicture, caption: Text(300).nullable() }),
});

const Gallery = z.strictObject({
  id: PartId,
  type: z.literal("gallery"),
  data: z.strictObject({ title, images: z.array(StoredPicture).min(1).max(40) }),
});

const Column = z.strictObject({ title, html: Html(10_000), image: StoredPicture.nullable() });

const Columns = z.strictObject({
  id: PartId,
  type: z.literal("columns"),
  data: z.strictObject({ columns: z.array(Column).min(2).max(4) }),
});

/** Blocks without references and pictures. The public reads them as stored. */
const plainBlocks = [
  RichTextPart,
  z.strictObject({
    id: PartId,
    type: z.literal("cta"),
    data: z.strictObject({ title: Text(120), text: Text(300).nullable(), link: Link }),
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
] as const;

/** A block of a CMS page. */
export const PageBlock = z.discriminatedUnion("type", [
  HeroPart,
  ImageBlock,
  Gallery,
  Columns,
  ...plainBlocks,
  FaqPart,
  ProductRailPart,
]);
export type PageBlock = z.output<typeof PageBlock>;

/** A block for the public: with cards and FAQ groups instead of references. */
export const PublicPageBlock = z.discriminatedUnion("type", [
  PublicHeroPart,
  ImageBlock.extend({ data: ImageBlock.shape.data.extend({ image: PublicPicture }) }),
  Gallery.extend({ data: Gallery.shape.data.extend({ images: z.array(PublicPicture) }) }),
  Columns.extend({
    data: z.strictObject({
      columns: z.array(Column.extend({ image: PublicPicture.nullable() })),
    }),
  }),
  ...plainBlocks,
  PublicFaqPart,
  PublicProductRailPart,
]);
/** A block before its response. */
export type PublicPageBlock = z.input<typeof PublicPageBlock>;

/** The members of a page that staff write. */
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

/** A page as last published: what the public reads. */
export const PublishedPage = z.object({ id, ...PageContent.shape, published_at: Timestamp });
export type PublishedPage = z.output<typeof PublishedPage>;

/** A page with its references resolved. */
export const PublicPage = PublishedPage.extend({ blocks: z.array(PublicPageBlock), seo: PageSeo });
/** A page before its response. */
export type PublicPage = z.input<typeof PublicPage>;

/** The links of a page's rails. */
export const railLinks = ({ blocks }: Pick<PageContent, "blocks">): PlacedLink[] =>
  blocks.flatMap((block, index) =>
    block.type === "product_rail" && block.data.link
      ? [{ path: `blocks.${index}.data.link.href`, href: block.data.link.href }]
      : [],
  );

/** The first picture of a page; null if it has none. */
export function pageCover({ blocks }: Pick<PageContent, "blocks">): StoredPicture | null {
  const [first = null] = blocks.flatMap((block) =>
    block.type === "image" || block.type === "hero" ? block.data.image : [],
  );
  return first;
}

/** The page for the public. Unpublished records are left out, and so are blocks that end up empty. */
export const resolvePage = (
  page: PublishedPage,
  cards: ReadonlyMap<string, Card>,
  faqs: ReadonlyMap<string, FaqGroup>,
): Omit<PublicPage, "seo"> => ({
  ...page,
  blocks: page.blocks.flatMap((block): PublicPageBlock[] => {
    switch (block.type) {
      case "product_rail": {
        const rail = resolveRail(block, cards);
        return rail ? [rail] : [];
      }
      case "faq": {
        const group = faqs.get(block.data.group);
        return group ? [{ ...block, data: { ...block.data, group } }] : [];
      }
      default:
        return [block];
    }
  }),
});

/** The published copy; parsing drops the members that only staff see. */
export const publishPage = (page: Page, now: Date): PublishedPage =>
  PublishedPage.parse({ ...page, published_at: page.published_at ?? now.toISOString() });
