import * as z from "zod";
import { CountableEvent } from "#shared/domain/event-figures.ts";

/** An event to count, or something that may amount to something else now; that is read when the message is worked on. */
export const FigureChange = z.discriminatedUnion("kind", [
  CountableEvent.extend({ kind: z.literal("event") }),
  z.object({
    kind: z.enum(["order", "lead", "quote", "conversation", "stock"]),
    id: z.string(),
  }),
  z.object({ kind: z.literal("message"), id: z.string(), conversation_id: z.string() }),
]);
export type FigureChange = z.output<typeof FigureChange>;

export const FigureChanges = z.object({ changes: z.array(FigureChange).min(1) });
export type FigureChanges = z.output<typeof FigureChanges>;
