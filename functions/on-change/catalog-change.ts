import * as z from "zod";
import { Rebuild, RebuildPortion } from "./rebuild-message.ts";

/** Message about a record of the catalog index that may have changed. The consumer reads its current content. */
export const CatalogChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["product", "sofa"]), slug: z.string() }),
  z.object({ kind: z.enum(["page", "story"]), slug: z.string() }),
  z.object({ kind: z.literal("material"), code: z.string() }),
  z.object({ kind: z.enum(["categories", "sofa-landing", "search-settings"]) }),
  Rebuild,
  RebuildPortion,
]);
export type CatalogChange = z.output<typeof CatalogChange>;

export const CatalogChanges = z.object({ changes: z.array(CatalogChange).min(1) });
export type CatalogChanges = z.output<typeof CatalogChanges>;
