import * as z from "zod";

/** An item of the table that shows other pictures than before; which it shows is read when the message is worked on. */
export const MediaUsesMessage = z.object({
  pk: z.string(),
  sk: z.string(),
  /** Ids of the media items that came or went. */
  media: z.array(z.string()).min(1),
  shown_by: z.object({ kind: z.string(), id: z.string() }),
});
export type MediaUsesMessage = z.output<typeof MediaUsesMessage>;
