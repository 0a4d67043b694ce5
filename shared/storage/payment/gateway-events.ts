import * as z from "zod";
import { Timestamp } from "../../domain/base/text.ts";
import { entity } from "../entity.ts";
import { type Write, put } from "../writes.ts";

/** A gateway event that was processed. The row is kept longer than the gateway retries delivery. */
export const GatewayEvents = entity({
  name: "gateway_event",
  notExported: "transient",
  schema: z.object({ at: Timestamp }),
  key: ({ event_id }: { event_id: string }) => ({ pk: `GATEWAYEVENT#${event_id}`, sk: "EVENT" }),
  ttl: ({ at }) => Math.ceil(Date.parse(at) / 1000) + keptSeconds,
});

const keptSeconds = 30 * 86_400;

/** Marks an event as processed, after all its effects. Marking it again is harmless. */
export const markProcessed = (event_id: string, now: Date): Write =>
  put(GatewayEvents, { event_id, at: now.toISOString() });
