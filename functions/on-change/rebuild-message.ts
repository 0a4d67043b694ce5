import * as z from "zod";

/** Message that requests a rebuild of a read model; `npm run rebuild-index` sends it. */
export const Rebuild = z.object({ kind: z.literal("rebuild") });

/** The position that a rebuild has reached. */
export const RebuildPortion = z.object({
  kind: z.literal("rebuild-portion"),
  /** Id of the rebuild. */
  id: z.string(),
  /** The kind being read, such as `product`. */
  of: z.string(),
  /** The table's key at the end of the previous portion. */
  after: z.record(z.string(), z.unknown()).optional(),
});
export type RebuildPortion = z.output<typeof RebuildPortion>;

export type RebuildMessage = z.output<typeof Rebuild> | RebuildPortion;
