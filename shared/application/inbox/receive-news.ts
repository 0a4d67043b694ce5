import type { Table } from "#shared/storage/table.ts";
import type { Shop } from "#shared/application/shop.ts";
import { whatsAppNews, type StatusNews } from "#shared/messaging/whatsapp-payload.ts";
import type { MessageKey } from "#shared/domain/inbox/message.ts";
import { advanceMessage, dateMessage, openInbox } from "#shared/storage/inbox/inbox.ts";
import { receiveMessages } from "./receive-messages.ts";
import { Refused } from "#shared/storage/writes.ts";

/**
 * Stores what one call of WhatsApp's webhook reports: messages from customers, and statuses of our messages.
 *
 * @param body the verified body of the call
 * @param businessAccountId the account whose events are stored; null until staff have entered it
 */
export async function receiveNews(
  body: unknown,
  businessAccountId: Parameters<typeof whatsAppNews>[1],
  shop: Shop<"table" | "log">,
  now: Date,
): Promise<void> {
  const { arrivals, statuses, unreadable } = whatsAppNews(body, businessAccountId, now);
  if (unreadable > 0) shop.log.warn("Unreadable WhatsApp events skipped", { count: unreadable });
  await Promise.all([receiveMessages(arrivals, shop, now), applyStatuses(statuses, shop)]);
}

const batchSize = 20;

/**
 * Updates the state of messages from WhatsApp's status reports. Reports about messages that this shop has not sent are
 * ignored.
 */
async function applyStatuses(statuses: readonly StatusNews[], shop: Shop<"table">): Promise<void> {
  for (let start = 0; start < statuses.length; start += batchSize) {
    const some = statuses.slice(start, start + batchSize);
    await Promise.all(some.map((status) => applyStatus(status, shop)));
  }
}

async function applyStatus(status: StatusNews, { table }: Shop<"table">): Promise<void> {
  const { whatsapp_id } = status;
  const isApplied = status.key && (await advance(status.key, status, table));
  if (isApplied) return;
  // Without a reference, or with that of a message that was moved, only WhatsApp's id leads to the message.
  const key = await openInbox(table).keyOf(whatsapp_id);
  if (key) await advance(key, status, table);
}

/** @returns false if there is no such message */
async function advance(key: MessageKey, status: StatusNews, table: Table): Promise<boolean> {
  const { whatsapp_id } = status;
  try {
    await table.write(advanceMessage(key, status, { whatsapp_id }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // The message has already reached this state or a later one. Only the time of this state may be missing.
    const found = error.failures[0]?.conflictingItem;
    if (!found) return false;
    if (wasSent(found) && found[`${status.state}_at`] === null) {
      await table.write(dateMessage(key, status));
    }
  }
  return true;
}

/** Whether staff sent the message: only their messages have a state. */
const wasSent = ({ state }: Record<string, unknown>): boolean => state !== null;
