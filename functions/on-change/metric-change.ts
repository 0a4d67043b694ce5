import * as z from "zod";
import { CountableEvent } from "#shared/domain/metrics/event-metrics.ts";

/** Message with an event to count, or about a record that may count differently now. The consumer reads the record. */
export const MetricChange = z.discriminatedUnion("kind", [
  CountableEvent.extend({ kind: z.literal("event") }),
  z.object({
    kind: z.enum(["order", "lead", "quote", "conversation", "stock"]),
    id: z.string(),
  }),
  z.object({ kind: z.literal("message"), id: z.string(), conversation_id: z.string() }),
]);
export type MetricChange = z.output<typeof MetricChange>;

export const MetricChanges = z.object({ changes: z.array(MetricChange).min(1) });
export type MetricChanges = z.output<typeof MetricChanges>;
