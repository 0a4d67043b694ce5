import * as z from "zod";
import { type Card, PublicCard } from "../catalog/card.ts";
import {
  type FaqGroup,
  FaqPart,
  HeroPart,
  PartId as id,
  type PlacedLink,
  ProductRailPart,
  PublicFaqPart,
  PublicHeroPart,
  PublicProductRailPart,
  RichTextPart,
  SitePath,
  Usp,
  resolveRail,
} from "./content.ts";
import { PageSeo } from "../catalog/page-seo.ts";
import { Id } from "../base/ids.ts";
import { PublicStoryTeaser, type StoryTeaser } from "./interior-story.ts";
import { StoredPicture } from "../upload/media.ts";
import { PublicPicture } from "../upload/public-picture.ts";
import { publicationTimes } from "../base/publication-times.ts";
import { Text, Timestamp } from "../base/text.ts";

const title = Text(120).nullable();

const CategoryTile = z.strictObject({ label: Text(80), href: SitePath, image: StoredPicture });

const CategoryGrid = z.strictObject({
  id,
  type: z.literal("category_grid"),
  data: z.strictObject({ title, tiles: z.array(CategoryTile).min(1).max(24) }),
});

/** Sections without references and pictures. The public reads them as stored. */
const plainSections = [
  z.strictObject({
    id,
    type: z.literal("testimonials"),
    data: z.strictObject({
      title,
      items: z
        .array(
          z.strictObject({
            quote: Text(600),
            name: Text(80),
            place: Text(80).nullable(),
            rating: z.int().min(1).max(5).nullable(),
          }),
        )
        .min(1)
        .max(24),
    }),
  }),
  z.strictObject({
    id,
    type: z.literal("usps"),
    data: z.strictObject({
      items: z.array(Usp).min(1).max(12),
    }),
  }),
  RichTextPart,
  z.strictObject({
    id,
    type: z.literal("newsletter"),
    data: z.strictObject({ title: Text(120), text: Text(300).nullable(), button: Text(40) }),
  }),
] as const;

const SofaFeature = z.strictObject({
  id,
  type: z.literal("sofa_feature"),
  data: z.strictObject({
    title,
    text: Text(600).nullable(),
    image: StoredPicture.nullable(),
    item: z.strictObject({ kind: z.literal("sofa"), id: Id("sofa") }),
  }),
});

const InteriorStories = z.strictObject({
  id,
  type: z.literal("interior_stories"),
  data: z.strictObject({ title, stories: z.array(Id("story")).min(1).max(12) }),
});

/** A section of the homepage, with the ids or slugs of the records that it shows. */
export const HomeSection = z.discriminatedUnion("type", [
  HeroPart,
  CategoryGrid,
  ...plainSections,
  FaqPart,
  ProductRailPart,
  SofaFeature,
  InteriorStories,
]);
export type HomeSection = z.output<typeof HomeSection>;

/** The homepage as last published, with the ids or slugs of the records that it shows. */
export const Home = z.object({
  sections: z.array(HomeSection).max(40),
  version: z.int().min(1),
  published_at: Timestamp.nullable(),
});
export type Home = z.output<typeof Home>;

/** The homepage as staff edit it. */
export const HomeDraft = Home.extend({
  publish_at: publicationTimes.publish_at,
  published_version: z
    .int()
    .min(1)
    .nullable()
    .meta({
      description:
        "Version of the published copy. If it differs from `version`, the draft has " +
        "unpublished changes",
    }),
});
export type HomeDraft = z.output<typeof HomeDraft>;

/** The draft before the first save. */
export const unwrittenHome: HomeDraft = {
  sections: [],
  version: 0,
  publish_at: null,
  published_at: null,
  published_version: null,
};

/** The published copy; parsing drops the members that only staff see. */
export const publishHome = (home: Home): Home => Home.parse(home);

/**
 * The draft after publishing, which clears `publish_at`. Unchanged if its current version is public and no time is set.
 */
export const publishedHome = (draft: HomeDraft, now: Date): HomeDraft =>
  draft.published_version === draft.version && draft.publish_at === null
    ? draft
    : {
        ...draft,
        version: draft.version + 1,
        publish_at: null,
        published_at: now.toISOString(),
        published_version: draft.version + 1,
      };

/** A section of the homepage for the public: with cards, stories and FAQ groups instead of references. */
export const PublicHomeSection = z.discriminatedUnion("type", [
  PublicHeroPart,
  CategoryGrid.extend({
    data: CategoryGrid.shape.data.extend({
      tiles: z.array(CategoryTile.extend({ image: PublicPicture })),
    }),
  }),
  ...plainSections,
  PublicFaqPart,
  PublicProductRailPart,
  SofaFeature.extend({
    data: SofaFeature.shape.data.extend({ image: PublicPicture.nullable(), item: PublicCard }),
  }),
  InteriorStories.extend({
    data: InteriorStories.shape.data.extend({ stories: z.array(PublicStoryTeaser) }),
  }),
]);
/** A section before its response. */
export type PublicHomeSection = z.input<typeof PublicHomeSection>;

export const PublicHome = z.object({
  sections: z.array(PublicHomeSection),
  version: z.int().min(0).meta({ description: "0 before the first publication" }),
  published_at: Timestamp.nullable(),
  seo: PageSeo,
});
/** The homepage before its response. */
export type PublicHome = z.input<typeof PublicHome>;

/** The links of the homepage's heroes, tiles and rails. */
export const homeLinks = ({ sections }: Pick<Home, "sections">): PlacedLink[] =>
  sections.flatMap((section, index): PlacedLink[] => {
    const path = `sections.${index}.data`;
    if (section.type === "category_grid") {
      return section.data.tiles.map(({ href }, tile) => ({
        path: `${path}.tiles.${tile}.href`,
        href,
      }));
    }
    const link =
      section.type === "hero" || section.type === "product_rail" ? section.data.link : null;
    return link ? [{ path: `${path}.link.href`, href: link.href }] : [];
  });

/** The homepage for the public. Unpublished records are left out, and so are sections that end up empty. */
export function resolveHome(
  { sections, version, published_at }: Home,
  cards: ReadonlyMap<string, Card>,
  stories: ReadonlyMap<string, StoryTeaser>,
  faqs: ReadonlyMap<string, FaqGroup>,
): Omit<PublicHome, "seo"> {
  return {
    version,
    published_at,
    sections: sections.flatMap((section): PublicHomeSection[] => {
      switch (section.type) {
        case "product_rail": {
          const rail = resolveRail(section, cards);
          return rail ? [rail] : [];
        }
        case "sofa_feature": {
          const item = cards.get(section.data.item.id);
          return item ? [{ ...section, data: { ...section.data, item } }] : [];
        }
        case "interior_stories": {
          const shown = section.data.stories.flatMap((id) => stories.get(id) ?? []);
          return shown.length > 0
            ? [{ ...section, data: { ...section.data, stories: shown } }]
            : [];
        }
        case "faq": {
          const group = faqs.get(section.data.group);
          return group ? [{ ...section, data: { ...section.data, group } }] : [];
        }
        default:
          return [section];
      }
    }),
  };
}
