import * as z from "zod";

/**
 * Message about an item of the table whose pictures have changed. The consumer reads which pictures the item shows now.
 */
const PicturesShown = z.object({
  pk: z.string(),
  sk: z.string(),
  /** Ids of the media items that were added or removed. */
  media: z.array(z.string()).min(1),
  shown_by: z.object({ kind: z.string(), id: z.string() }),
});
export type PicturesShown = z.output<typeof PicturesShown>;

/** Visitors' uploads that an order now holds. */
const PicturesOrdered = z.object({ ordered: z.array(z.string()).min(1) });
export type PicturesOrdered = z.output<typeof PicturesOrdered>;

export const MediaUsesMessage = z.union([PicturesShown, PicturesOrdered]);
export type MediaUsesMessage = z.output<typeof MediaUsesMessage>;
