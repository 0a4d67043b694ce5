import { whatsAppNews } from "#shared/messaging/whatsapp-payload.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Inbox } from "#shared/storage/inbox/inbox.ts";
import type { Table } from "#shared/storage/table.ts";
import { applyStatuses } from "./apply-status.ts";
import { receiveMessages } from "./receive-messages.ts";

/**
 * Stores what one call of WhatsApp's webhook reports: messages from customers, and statuses of our messages.
 *
 * @param body the verified body of the call
 * @param businessAccountId the account whose events are stored; null until staff have entered it
 */
export async function receiveNews(
  body: unknown,
  businessAccountId: Parameters<typeof whatsAppNews>[1],
  deps: { readonly table: Table; readonly inbox: Inbox; readonly log: Pick<Log, "warn"> },
  now: Date,
): Promise<void> {
  const { arrivals, statuses, unreadable } = whatsAppNews(body, businessAccountId, now);
  if (unreadable > 0) deps.log.warn("Unreadable WhatsApp events skipped", { count: unreadable });
  await Promise.all([receiveMessages(arrivals, deps, now), applyStatuses(statuses, deps)]);
}
