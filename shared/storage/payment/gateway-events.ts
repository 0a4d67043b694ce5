import * as z from "zod";
import { Timestamp } from "../../domain/base/text.ts";
import { entity } from "../entity.ts";
import { type Write, put } from "../writes.ts";

/** An event of the gateway's that was dealt with. Longer here than the gateway goes on delivering it. */
export const GatewayEvents = entity({
  name: "gateway_event",
  schema: z.object({ at: Timestamp }),
  key: ({ event_id }: { event_id: string }) => ({ pk: `GATEWAYEVENT#${event_id}`, sk: "EVENT" }),
  ttl: ({ at }) => Math.ceil(Date.parse(at) / 1000) + keptSeconds,
});

const keptSeconds = 30 * 86_400;

/** Notes an event when all is done that it asked for; noting it again changes nothing that matters. */
export const dealtWith = (event_id: string, now: Date): Write =>
  put(GatewayEvents, { event_id, at: now.toISOString() });
