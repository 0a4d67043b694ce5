import * as z from "zod";

/** All of a view; `npm run rebuild-view` asks for this. */
export const Rebuild = z.object({ kind: z.literal("rebuild") });

/** Where a rebuild is: all that stands before is in its view. */
export const RebuildPortion = z.object({
  kind: z.literal("rebuild-portion"),
  /** Of the rebuild. */
  id: z.string(),
  /** What is gone through, such as `product`. */
  of: z.string(),
  /** What the portion before ended with, as the table goes on from it. */
  after: z.record(z.string(), z.unknown()).optional(),
});
export type RebuildPortion = z.output<typeof RebuildPortion>;

export type RebuildMessage = z.output<typeof Rebuild> | RebuildPortion;
