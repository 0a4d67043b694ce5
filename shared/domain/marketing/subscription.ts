import * as z from "zod";
import { Email, NullableTimestamp, Text, Timestamp } from "../base/text.ts";

/** `pending` until the address is confirmed. */
export const SubscriptionStatus = z.enum(["pending", "subscribed", "unsubscribed"]);
export type SubscriptionStatus = z.output<typeof SubscriptionStatus>;

/** The subscription of one address to the newsletter and other marketing mail. */
export const Subscription = z.object({
  email: Email,
  /** As typed with the address. It never appears in mails, because anybody may have typed it. */
  name: Text(120).nullable(),
  status: SubscriptionStatus,
  source: Text(60).meta({ description: "Where the address was entered", example: "footer" }),
  /** The token of the unsubscribe link. It allows nothing else, so it is stored in clear text. */
  token: z.string(),
  /** When the subscription was last requested. */
  requested_at: Timestamp,
  /** When the last confirmation mail was sent. */
  letter_at: NullableTimestamp,
  confirmed_at: NullableTimestamp,
  unsubscribed_at: NullableTimestamp,
  /** Confirmation links of an earlier epoch are invalid. Unsubscribing raises the epoch. */
  epoch: z.int().min(1),
  version: z.int().min(1),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Subscription = z.output<typeof Subscription>;

export const SubscriptionInput = z.strictObject({
  email: Email,
  name: Text(120).nullable().default(null),
  consent: z
    .boolean()
    .refine((agreed) => agreed, "Please agree that we may send you our newsletter.")
    .meta({ description: "Consent to receive the newsletter; must be true" }),
  source: Subscription.shape.source.default("newsletter"),
});

/** A subscriber as staff see it. */
export const Subscriber = Subscription.pick({
  email: true,
  name: true,
  status: true,
  source: true,
  requested_at: true,
  confirmed_at: true,
  unsubscribed_at: true,
});
export type Subscriber = z.output<typeof Subscriber>;

/** A request for the subscription of an address. */
export interface SubscriptionRequest {
  readonly email: string;
  readonly name: string | null;
  readonly source: string;
  readonly at: Timestamp;
  /** Whether a signed-in customer whose verified email is this address made the request. */
  readonly isProven: boolean;
}

const dayMs = 86_400_000;

/** Whether a mail was sent within a day before `at`. An address gets at most one confirmation mail a day. */
export const isMailedWithinDay = (letterAt: Timestamp | null, at: Timestamp): boolean =>
  letterAt !== null && Date.parse(at) - Date.parse(letterAt) < dayMs;

/**
 * The subscription after a request, and whether a confirmation mail must be sent. A request that is not newer than the
 * last request and the last unsubscribing changes nothing, so a queue message that is delivered twice has no effect.
 *
 * @param token of a new subscription's unsubscribe link
 */
export function requestedSubscription(
  before: Subscription | undefined,
  { email, name, source, at, isProven }: SubscriptionRequest,
  token: string,
): { subscription: Subscription; isLetterDue: boolean } {
  const isKnown = before && (before.requested_at >= at || (before.unsubscribed_at ?? "") >= at);
  if (isKnown) return { subscription: before, isLetterDue: false };
  if (before?.status === "subscribed") return { subscription: before, isLetterDue: false };
  const isLetterDue = !isProven && !isMailedWithinDay(before?.letter_at ?? null, at);
  // Nobody could confirm the request before the next letter.
  const isInVain = before?.status === "unsubscribed" && !isProven && !isLetterDue;
  if (isInVain) return { subscription: before, isLetterDue };
  const subscription: Subscription = {
    email,
    name: name ?? before?.name ?? null,
    status: isProven ? "subscribed" : "pending",
    source: before?.status === "pending" ? before.source : source,
    token: before?.token ?? token,
    requested_at: at,
    letter_at: isLetterDue ? at : (before?.letter_at ?? null),
    confirmed_at: isProven ? at : null,
    unsubscribed_at: before?.unsubscribed_at ?? null,
    epoch: before?.epoch ?? 1,
    version: (before?.version ?? 0) + 1,
    created_at: before?.created_at ?? at,
    updated_at: at,
  };
  return { subscription, isLetterDue };
}

/** The subscription after the address was confirmed. */
export function confirmedSubscription(before: Subscription, now: Date): Subscription {
  const at = now.toISOString();
  return {
    ...before,
    status: "subscribed",
    confirmed_at: at,
    version: before.version + 1,
    updated_at: at,
  };
}

/** The subscription after unsubscribing. Confirmation links that were mailed before become invalid. */
export function endedSubscription(before: Subscription, now: Date): Subscription {
  const at = now.toISOString();
  return {
    ...before,
    status: "unsubscribed",
    unsubscribed_at: at,
    epoch: before.epoch + 1,
    version: before.version + 1,
    updated_at: at,
  };
}

/** Until when an unconfirmed or ended subscription is stored; undefined while it is subscribed. */
export function subscriptionExpiry({
  status,
  requested_at,
  updated_at,
}: Pick<Subscription, "status" | "requested_at" | "updated_at">): Date | undefined {
  if (status === "pending") return new Date(Date.parse(requested_at) + 30 * dayMs);
  if (status === "unsubscribed") return new Date(Date.parse(updated_at) + 400 * dayMs);
  return undefined;
}
