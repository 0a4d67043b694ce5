import * as z from "zod";
import { Card } from "../catalog/card.ts";
import { CardReference } from "./content.ts";
import { documentState } from "./document.ts";
import { Id } from "../base/ids.ts";
import { StoredPicture } from "../upload/media.ts";
import { Slug } from "../base/names.ts";
import { Html, Text, Timestamp } from "../base/text.ts";

/** Parts of ten thousand of the picture's width or height, from its upper left corner: the size shown does not matter. */
const Position = z.int().min(0).max(10_000).meta({
  description: "From the upper left corner; 10000 is the whole width or height",
  example: 4250,
});

const Hotspot = z.strictObject({ x: Position, y: Position, item: CardReference });

/** What staff write of a story. */
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

/** A furnished room told in pictures, as staff edit it. */
export const InteriorStory = z.object({ id, ...StoryContent.shape, ...documentState });
export type InteriorStory = z.output<typeof InteriorStory>;

/** A story as it was last published, with what it shows still by id. */
export const PublishedStory = z.object({ id, ...StoryContent.shape, published_at: Timestamp });
export type PublishedStory = z.output<typeof PublishedStory>;

/** A story as the public sees it: a hotspot carries the card of what it points at, under its kind. */
export const PublicStory = PublishedStory.extend({
  images: z.array(
    z.object({
      media: StoredPicture,
      hotspots: z.array(
        z.object({ x: Position, y: Position, product: Card.nullable(), sofa: Card.nullable() }),
      ),
    }),
  ),
});
export type PublicStory = z.output<typeof PublicStory>;

/** A story in a row of stories. */
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

/** The ids of the products and sofas that a story points at. */
export const storyReferences = ({ images }: Pick<PublishedStory, "images">): string[] => [
  ...new Set(images.flatMap(({ hotspots }) => hotspots.map(({ item }) => item.id))),
];

/** A story with cards in place of ids; a hotspot whose thing is no longer public is left out. */
export function resolveStory(story: PublishedStory, cards: ReadonlyMap<string, Card>): PublicStory {
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

/** The copy that the public reads; parsing leaves behind what is staff's alone. */
export const publishStory = (story: InteriorStory, now: Date): PublishedStory =>
  PublishedStory.parse({ ...story, published_at: story.published_at ?? now.toISOString() });

export const storyTeaser = (story: PublishedStory): StoryTeaser => StoryTeaser.parse(story);
