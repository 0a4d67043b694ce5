import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  Subscriber,
  type Subscription,
  SubscriptionStatus,
  subscriptionExpiry,
} from "#shared/domain/marketing/subscription.ts";
import { exportSubscriberPage } from "#shared/application/marketing/export-subscribers.ts";
import { listRoute } from "#functions/list-route.ts";
import { CursorPage } from "#shared/http/paging.ts";
import { staff } from "#shared/http/route.ts";
import type { KeyRange, PageOptions } from "#shared/storage/pages.ts";
import {
  Subscriptions,
  subscriberList,
  subscribersIn,
} from "#shared/storage/marketing/subscriptions.ts";

/**
 * The subscriptions in a partition of an index, newest first. Expired ones are left out, because DynamoDB may delete them
 * days later.
 */
function currentOnes(
  of: Pick<KeyRange, "index" | "partition">,
  { table }: Shop<"table">,
  now: Date,
) {
  const range: KeyRange = { ...of, newestFirst: true };
  const matches = (record: Subscription) => (subscriptionExpiry(record) ?? now) >= now;
  return {
    range,
    page: (at: PageOptions<Subscription, Subscription>) =>
      table.page(Subscriptions, range, { ...at, matches }),
  };
}

export const listSubscribers = listRoute({
  path: "/admin/newsletter/subscribers",
  summary: "List newsletter subscribers, newest first",
  description: "Unconfirmed requests are deleted after 30 days.",
  access: staff("leads.view"),
  query: CursorPage.extend({ status: SubscriptionStatus.optional() }),
  row: Subscriber,
  list: ({ query: { status }, now }, shop: Shop<"table">) =>
    currentOnes(
      status === undefined
        ? { index: "gsi1", partition: subscriberList }
        : { index: "gsi2", partition: subscribersIn(status) },
      shop,
      now,
    ),
});

const ExportedSubscriber = Subscriber.pick({
  email: true,
  name: true,
  source: true,
  confirmed_at: true,
}).extend({
  unsubscribe_url: z
    .url()
    .nullable()
    .meta({
      description:
        "For the header `List-Unsubscribe` of a newsletter (RFC 8058); null if the deployment has no " +
        "public URL",
    }),
});

export const exportSubscribers = listRoute({
  path: "/admin/newsletter/export",
  summary: "Export the subscribed addresses",
  description:
    "Returns confirmed subscribers only, each with the link that unsubscribes it. The activity log " +
    "records each call.",
  access: staff("leads.edit"),
  row: ExportedSubscriber,
  list: ({ now }, shop: Shop<"table" | "apiBaseUrl">) =>
    currentOnes({ index: "gsi2", partition: subscribersIn("subscribed") }, shop, now),
  shown: (records, call, shop) => exportSubscriberPage(call, records, shop),
});

export const routes = [listSubscribers, exportSubscribers];
