import * as z from "zod";
import { Rebuild, RebuildPortion } from "./rebuild-message.ts";

/** A record that staff lists may show differently. The consumer reads its current content. */
export const StaffChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["product", "sofa", "material"]), id: z.string() }),
  z.object({ kind: z.literal("stock"), sku: z.string() }),
  Rebuild,
  RebuildPortion,
]);
export type StaffChange = z.output<typeof StaffChange>;

export const StaffChanges = z.object({ changes: z.array(StaffChange).min(1) });
export type StaffChanges = z.output<typeof StaffChanges>;
