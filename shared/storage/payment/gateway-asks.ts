import * as z from "zod";
import { GatewayPayment } from "../../domain/payment/gateway-payment.ts";
import { absent, either, below } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type Write, update } from "../writes.ts";

const GatewayAnswer = z.object({
  /** Of the turn that brought it. */
  asked_at: z.string(),
  /** False: the payment is not what the order agreed to. */
  agreed: z.boolean(),
  /** Null: the gateway knows of none. */
  payment: z
    .object({
      id: z.string(),
      state: GatewayPayment.shape.state,
      client_secret: z.string(),
    })
    .nullable(),
});
export type GatewayAnswer = z.output<typeof GatewayAnswer>;

/** When the gateway was last asked about an order for its buyer, and what it said. */
export const GatewayAsks = entity({
  name: "gateway_ask",
  schema: z.object({
    asked_at: z.string().optional(),
    answer: GatewayAnswer.optional(),
  }),
  key: ({ order_id }: { order_id: string }) => ({ pk: `ORDER#${order_id}`, sk: "GATEWAY-ASK" }),
  ttl: "set by updates",
});

const keptSeconds = 3_600;

/** Takes the turn to ask the gateway about an order. Refused when it was asked less than `everyMs` ago. */
export function takeTurn(order_id: string, now: Date, everyMs: number): Write {
  const before = new Date(now.getTime() - everyMs).toISOString();
  return update(
    GatewayAsks,
    { order_id },
    {
      set: {
        entity: GatewayAsks.name,
        asked_at: now.toISOString(),
        ttl: Math.ceil(now.getTime() / 1000) + keptSeconds,
      },
    },
    either(absent("asked_at"), below("asked_at", before)),
  );
}

/** Lets the next call ask at once, because this one got no answer. */
export const giveTurnBack = (order_id: string): Write =>
  update(GatewayAsks, { order_id }, { remove: ["asked_at"] });

export const keepAnswer = (order_id: string, answer: GatewayAnswer): Write =>
  update(GatewayAsks, { order_id }, { set: { answer: GatewayAnswer.parse(answer) } });
