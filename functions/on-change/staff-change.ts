import * as z from "zod";
import { Rebuild, RebuildPortion } from "./rebuild-message.ts";

/** Message about a record whose row in staff lists may have changed. The consumer reads its current content. */
export const StaffChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["product", "sofa", "material"]), id: z.string() }),
  z.object({ kind: z.literal("stock"), sku: z.string() }),
  Rebuild,
  RebuildPortion,
]);
export type StaffChange = z.output<typeof StaffChange>;

export const StaffChanges = z.object({ changes: z.array(StaffChange).min(1) });
export type StaffChanges = z.output<typeof StaffChanges>;
