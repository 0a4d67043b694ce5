import type { Shop } from "#shared/application/shop.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import type { Subscriptions } from "#shared/storage/marketing/subscriptions.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type * as z from "zod";

/**
 * Records in the activity log that staff export one page of the subscribers.
 *
 * @param apiBaseUrl undefined if the deployment has no public URL
 * @returns the subscribers, each with the link that unsubscribes it; null without a public URL
 */
export async function exportSubscriberPage(
  call: AuditedCall,
  subscribers: readonly z.output<(typeof Subscriptions)["schema"]>[],
  { table, apiBaseUrl }: Shop<"table" | "apiBaseUrl">,
) {
  const target = { kind: "newsletter", id: "newsletter", label: "newsletter" };
  const after = { records: subscribers.length };
  await table.write(recordActivity(auditContextOf(call), "newsletter.export", target, { after }));
  const linkTo = (token: string) => `${apiBaseUrl}${apiPrefix}/unsubscribe/${token}`;
  return subscribers.map((subscriber) => ({
    ...subscriber,
    unsubscribe_url: apiBaseUrl === undefined ? null : linkTo(subscriber.token),
  }));
}
