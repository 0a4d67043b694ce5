import { isUtf8 } from "node:buffer";
import * as z from "zod";
import type { GatewayNotice } from "./gateway.ts";

/** An event from Stripe. Only the payment's id is used; the payment's state is then read from Stripe. */
const StripeEvent = z.object({
  id: z.string().min(1),
  data: z.object({
    object: z.object({
      object: z.string(),
      id: z.string().optional(),
      /** Set in charges, refunds and disputes. */
      payment_intent: z.string().nullish(),
    }),
  }),
});

const maxAgeSeconds = 300;
/** How far Stripe's clock may be ahead of ours. Stripe's SDK would accept any future time. */
const maxAheadSeconds = 60;

/**
 * Reads a Stripe webhook. Stripe's SDK verifies the signature over the received bytes, in constant time.
 *
 * @param signature the header `Stripe-Signature`
 * @returns `unsigned` if the signature is missing or wrong, older than five minutes or in the future; `unsupported` if
 * the signed body is no event with an object, such as a thin event, which names its object only
 */
export async function readNotice(webhook: {
  readonly body: string | Buffer;
  readonly signature: string | undefined;
  readonly secret: string;
  readonly now: Date;
}): Promise<GatewayNotice | "unsigned" | "unsupported"> {
  const { signature, secret, now } = webhook;
  const bytes = typeof webhook.body === "string" ? Buffer.from(webhook.body) : webhook.body;
  // Invalid UTF-8 would be verified as a different text, with a replacement character for each invalid byte.
  if (signature === undefined || !isUtf8(bytes) || !isTimely(signature, now)) return "unsigned";

  const { Stripe } = await import("stripe");
  try {
    // `constructEvent` would refuse thin events as it refuses wrong signatures.
    Stripe.webhooks.signature!.verifyHeader(
      bytes,
      signature,
      secret,
      maxAgeSeconds,
      undefined,
      now.getTime(),
    );
  } catch {
    return "unsigned";
  }
  const event = StripeEvent.safeParse(jsonIn(bytes));
  if (!event.success) return "unsupported";
  const { object } = event.data.data;
  const paymentId = object.object === "payment_intent" ? object.id : object.payment_intent;
  return { id: event.data.id, paymentId: paymentId ?? null };
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Whether the header has exactly one time that is not too far ahead. The SDK refuses times too long ago. */
function isTimely(signature: string, now: Date): boolean {
  const times = signature.split(",").filter((part) => part.startsWith("t="));
  const [time = ""] = times;
  return (
    times.length === 1 &&
    /^t=\d{1,12}$/.test(time) &&
    Number(time.slice(2)) <= now.getTime() / 1000 + maxAheadSeconds
  );
}
