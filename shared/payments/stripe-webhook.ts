import { isUtf8 } from "node:buffer";
import * as z from "zod";
import type { GatewayNotice } from "./gateway.ts";

/** An event as Stripe sends it, as far as it is believed: that something happened, not what. */
const StripeEvent = z.object({
  id: z.string().min(1),
  data: z.object({
    object: z.object({
      object: z.string(),
      id: z.string().optional(),
      /** Of charges, refunds and disputes. */
      payment_intent: z.string().nullish(),
    }),
  }),
});

const maxAgeSeconds = 300;
/** The clocks of two machines; Stripe's own SDK takes any time that is to come. */
const maxAheadSeconds = 60;

/**
 * Reads what Stripe sends to the webhook. The signature is checked by Stripe's SDK, over the bytes as they came and in
 * constant time.
 *
 * @param signature the header `Stripe-Signature`
 * @returns undefined: it is not signed with the secret, or signed more than five minutes ago or in the future, or it
 * is no event
 */
export async function readNotice(given: {
  readonly body: string | Buffer;
  readonly signature: string | undefined;
  readonly secret: string;
  readonly now: Date;
}): Promise<GatewayNotice | undefined> {
  const { signature, secret, now } = given;
  const bytes = typeof given.body === "string" ? Buffer.from(given.body) : given.body;
  // What is no text would be checked as another one, with a mark in the place of each wrong byte.
  if (signature === undefined || !isUtf8(bytes) || !isTimely(signature, now)) return undefined;

  const { Stripe } = await import("stripe");
  let signed: unknown;
  try {
    signed = Stripe.webhooks.constructEvent(
      bytes,
      signature,
      secret,
      maxAgeSeconds,
      undefined,
      now.getTime(),
    );
  } catch {
    return undefined;
  }
  const event = StripeEvent.safeParse(signed);
  if (!event.success) return undefined;
  const { object } = event.data.data;
  const paymentId = object.object === "payment_intent" ? object.id : object.payment_intent;
  return { id: event.data.id, paymentId: paymentId ?? null };
}

/** Says one time, which is not too far ahead; the SDK looks whether it is too long ago. */
function isTimely(signature: string, now: Date): boolean {
  const times = signature.split(",").filter((part) => part.startsWith("t="));
  const [time = ""] = times;
  return (
    times.length === 1 &&
    /^t=\d{1,12}$/.test(time) &&
    Number(time.slice(2)) <= now.getTime() / 1000 + maxAheadSeconds
  );
}
