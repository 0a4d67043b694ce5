import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  Subscriber,
  SubscriptionStatus,
  subscriptionExpiry,
} from "#shared/domain/marketing/subscription.ts";
import { exportSubscriberPage } from "#shared/application/marketing/export-subscribers.ts";
import {
  CursorMeta,
  CursorPage,
  type CursorScope,
  cursorOf,
  keyOfCursor,
} from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import {
  Subscriptions,
  subscriberList,
  subscribersIn,
} from "#shared/storage/marketing/subscriptions.ts";

interface PageCall {
  readonly query: { readonly per_page: number; readonly cursor?: string | undefined };
  readonly now: Date;
}

/**
 * One page of the subscriptions in a partition of an index, newest first. Expired ones are left out, because DynamoDB
 * may delete them days later.
 */
async function pageOf(
  { table }: Shop<"table">,
  range: { index: "gsi1" | "gsi2"; partition: string },
  { query: { per_page, cursor }, now }: PageCall,
) {
  const { index, partition: value } = range;
  const scope: CursorScope = { attribute: `${index}pk`, value };
  const after = keyOfCursor(cursor, scope);
  const options = { ...range, limit: per_page, after, newestFirst: true };
  const { records, next } = await table.page(Subscriptions, options);
  const current = records.filter((record) => (subscriptionExpiry(record) ?? now) >= now);
  return { records: current, meta: { per_page, next_cursor: cursorOf(next, scope) } };
}

export const listSubscribers = route({
  method: "GET",
  path: "/admin/newsletter/subscribers",
  summary: "List newsletter subscribers, newest first",
  description: "Unconfirmed requests are deleted after 30 days.",
  access: staff("leads.view"),
  request: { query: CursorPage.extend({ status: SubscriptionStatus.optional() }) },
  response: { status: 200, data: z.array(Subscriber), meta: CursorMeta },
  async handle(call, shop: Shop<"table">) {
    const { status } = call.query;
    const range =
      status === undefined
        ? ({ index: "gsi1", partition: subscriberList } as const)
        : ({ index: "gsi2", partition: subscribersIn(status) } as const);
    const { records, meta } = await pageOf(shop, range, call);
    return { data: records, meta };
  },
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

export const exportSubscribers = route({
  method: "GET",
  path: "/admin/newsletter/export",
  summary: "Export the subscribed addresses",
  description:
    "Returns confirmed subscribers only, each with the link that unsubscribes it. The activity log " +
    "records each call.",
  access: staff("leads.edit"),
  request: { query: CursorPage },
  response: { status: 200, data: z.array(ExportedSubscriber), meta: CursorMeta },
  async handle(call, shop: Shop<"table" | "apiBaseUrl">) {
    const range = { index: "gsi2", partition: subscribersIn("subscribed") } as const;
    const { records, meta } = await pageOf(shop, range, call);
    return { data: await exportSubscriberPage(call, records, shop), meta };
  },
});

export const routes = [listSubscribers, exportSubscribers];
