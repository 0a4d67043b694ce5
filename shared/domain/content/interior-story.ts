import * as z from "zod";
import { type Card, PublicCard } from "../catalog/card.ts";
import { PageSeo } from "../catalog/page-seo.ts";
import { CardReference } from "./content.ts";
import { documentState } from "./document.ts";
import { Id } from "../base/ids.ts";
import { StoredPicture } from "../upload/media.ts";
import { PublicPicture } from "../upload/public-picture.ts";
import { Slug } from "../base/names.ts";
import { Html, Text, Timestamp } from "../base/text.ts";

/**
 * Ten-thousandths of the picture's width or height, so that the position does not depend on the displayed size.
 */
const Position = z.int().min(0).max(10_000).meta({
  description: "Distance from the left or upper edge; 10000 is the whole width or height",
  example: 4250,
});

const Hotspot = z.strictObject({ x: Position, y: Position, item: CardReference });

/** The members of a story that staff write. */
export const StoryContent = z.object({
  slug: Slug,
  title: Text(160),
  room: Slug.nullable(),
  style: Slug.nullable(),
  cover: StoredPicture,
  body_html: Html(50_000),
  images: z
    .array(z.strictObject({ media: StoredPicture, hotspots: z.array(Hotspot).max(20) }))
    .max(20),
});
export type StoryContent = z.output<typeof StoryContent>;

const id = Id("story");

/** An interior story as staff edit it: a furnished room in pictures. */
export const InteriorStory = z.object({ id, ...StoryContent.shape, ...documentState });
export type InteriorStory = z.output<typeof InteriorStory>;

/** A story as last published, with the ids of the products and sofas that it shows. */
export const PublishedStory = z.object({ id, ...StoryContent.shape, published_at: Timestamp });
export type PublishedStory = z.output<typeof PublishedStory>;

/** A story for the public: each hotspot contains the card of its product or sofa. */
export const PublicStory = PublishedStory.extend({
  cover: PublicPicture,
  seo: PageSeo,
  images: z.array(
    z.object({
      media: PublicPicture,
      hotspots: z.array(
        z.object({
          x: Position,
          y: Position,
          product: PublicCard.nullable(),
          sofa: PublicCard.nullable(),
        }),
      ),
    }),
  ),
});
/** A story before its response. */
export type PublicStory = z.input<typeof PublicStory>;

/** A story in a list of stories. */
export const StoryTeaser = PublishedStory.pick({
  id: true,
  slug: true,
  title: true,
  room: true,
  style: true,
  cover: true,
  published_at: true,
});
export type StoryTeaser = z.output<typeof StoryTeaser>;

/** A teaser as the public reads it. */
export const PublicStoryTeaser = StoryTeaser.extend({ cover: PublicPicture });

/** A story with cards instead of ids. Hotspots of unpublished records are left out. */
export function resolveStory(
  story: PublishedStory,
  cards: ReadonlyMap<string, Card>,
): Omit<PublicStory, "seo"> {
  return {
    ...story,
    images: story.images.map(({ media, hotspots }) => ({
      media,
      hotspots: hotspots.flatMap(({ x, y, item }) => {
        const card = cards.get(item.id);
        if (!card) return [];
        return [
          {
            x,
            y,
            product: card.kind === "product" ? card : null,
            sofa: card.kind === "sofa" ? card : null,
          },
        ];
      }),
    })),
  };
}

/** The published copy; parsing drops the members that only staff see. */
export const publishStory = (story: InteriorStory, now: Date): PublishedStory =>
  PublishedStory.parse({ ...story, published_at: story.published_at ?? now.toISOString() });

export const storyTeaser = (story: PublishedStory): StoryTeaser => StoryTeaser.parse(story);
