import * as z from "zod";

/** An item of the table that shows other pictures than before; which it shows is read when the message is worked on. */
const PicturesShown = z.object({
  pk: z.string(),
  sk: z.string(),
  /** Ids of the media items that came or went. */
  media: z.array(z.string()).min(1),
  shown_by: z.object({ kind: z.string(), id: z.string() }),
});
export type PicturesShown = z.output<typeof PicturesShown>;

/** Uploads of visitors that an order came to hold. */
const PicturesOrdered = z.object({ ordered: z.array(z.string()).min(1) });
export type PicturesOrdered = z.output<typeof PicturesOrdered>;

export const MediaUsesMessage = z.union([PicturesShown, PicturesOrdered]);
export type MediaUsesMessage = z.output<typeof MediaUsesMessage>;
