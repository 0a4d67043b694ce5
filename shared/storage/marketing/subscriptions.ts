import {
  Subscription,
  type SubscriptionStatus,
  subscriptionExpiry,
} from "../../domain/marketing/subscription.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type Write, put } from "../writes.ts";
import { linkOf } from "./unsubscribe-links.ts";

/** The partition of all rows of one address. */
export const subscriberPartition = (email: string) => `SUBSCRIBER#${email}`;

/** The partition of the index that lists all subscriptions, sorted by creation time. */
export const subscriberList = "SUBSCRIBERS";
export const subscribersIn = (status: SubscriptionStatus) => `${subscriberList}#${status}`;

export const secondsOf = (date: Date | undefined): number | undefined =>
  date && Math.ceil(date.getTime() / 1000);

export const Subscriptions = entity({
  name: "subscription",
  notExported: "personal",
  schema: Subscription,
  key: ({ email }: { email: string }) => ({ pk: subscriberPartition(email), sk: "SUBSCRIPTION" }),
  indexes: {
    gsi1: ({ created_at, email }) => ({ pk: subscriberList, sk: `${created_at}#${email}` }),
    gsi2: ({ status, created_at, email }) => ({
      pk: subscribersIn(status),
      sk: `${created_at}#${email}`,
    }),
  },
  ttl: (subscription) => secondsOf(subscriptionExpiry(subscription)),
});

/** Stores a subscription with its unsubscribe link, if the subscription is unchanged since it was read. */
export function putSubscription(
  subscription: Subscription,
  before: Subscription | undefined,
): Write[] {
  const { email, token } = subscription;
  return [
    put(Subscriptions, subscription, before ? is("version", before.version) : isNew),
    linkOf({ token, email, alert: null, expires_at: subscriptionExpiry(subscription) }),
  ];
}
