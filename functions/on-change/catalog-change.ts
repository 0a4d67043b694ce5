import * as z from "zod";

/** Where a rebuild is: all that stands before is in its view. */
export const RebuildPortion = z.object({
  kind: z.literal("rebuild-portion"),
  /** Of the rebuild. */
  id: z.string(),
  of: z.enum(["product", "sofa"]),
  /** What the portion before ended with, as the table's index goes on from it. */
  after: z.record(z.string(), z.unknown()).optional(),
});
export type RebuildPortion = z.output<typeof RebuildPortion>;

/** Something in the catalog that may look different now; what it looks like is read when the message is worked on. */
export const CatalogChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["product", "sofa"]), slug: z.string() }),
  z.object({ kind: z.literal("material"), code: z.string() }),
  z.object({ kind: z.enum(["categories", "sofa-landing"]) }),
  /** All of it; `npm run rebuild-view` asks for this. */
  z.object({ kind: z.literal("rebuild") }),
  RebuildPortion,
]);
export type CatalogChange = z.output<typeof CatalogChange>;

export const CatalogChanges = z.object({ changes: z.array(CatalogChange).min(1) });
export type CatalogChanges = z.output<typeof CatalogChanges>;
