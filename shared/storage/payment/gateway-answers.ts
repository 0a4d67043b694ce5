import * as z from "zod";
import { GatewayPayment } from "../../domain/payment/gateway/gateway-payment.ts";
import { hasPassed } from "../claims.ts";
import { entity } from "../entity.ts";
import { type Write, update } from "../writes.ts";

const GatewayAnswer = z.object({
  /** When the request was made. */
  asked_at: z.string(),
  /** False if the payment does not match the order. */
  agreed: z.boolean(),
  /** Null if the gateway knows of no payment. */
  payment: z
    .object({
      id: z.string(),
      state: GatewayPayment.shape.state,
      client_secret: z.string(),
    })
    .nullable(),
});
export type GatewayAnswer = z.output<typeof GatewayAnswer>;

/** The gateway's last answer about an order, and when it was requested. Repeated requests of the buyer reuse it. */
export const GatewayAnswers = entity({
  name: "gateway_ask",
  notExported: "transient",
  schema: z.object({
    asked_at: z.string().optional(),
    answer: GatewayAnswer.optional(),
  }),
  key: ({ order_id }: { order_id: string }) => ({ pk: `ORDER#${order_id}`, sk: "GATEWAY-ASK" }),
  ttl: "set by updates",
});

const keptSeconds = 3_600;

/**
 * Claims the right to ask the gateway about an order. The write is refused if the gateway was asked less than `everyMs`
 * ago.
 */
export function claimGatewayRequest(order_id: string, now: Date, everyMs: number): Write {
  const before = new Date(now.getTime() - everyMs);
  return update(
    GatewayAnswers,
    { order_id },
    {
      set: {
        entity: GatewayAnswers.name,
        asked_at: now.toISOString(),
        ttl: Math.ceil(now.getTime() / 1000) + keptSeconds,
      },
    },
    hasPassed("asked_at", before),
  );
}

/** Releases the claim after a failed request, so that the next call can ask immediately. */
export const releaseGatewayRequest = (order_id: string): Write =>
  update(GatewayAnswers, { order_id }, { remove: ["asked_at"] });

/** Keeps an answer. @param releases whether the next call can ask immediately */
export const keepAnswer = (order_id: string, answer: GatewayAnswer, releases: boolean): Write =>
  update(
    GatewayAnswers,
    { order_id },
    {
      set: { answer: GatewayAnswer.parse(answer) },
      ...(releases && { remove: ["asked_at"] }),
    },
  );
