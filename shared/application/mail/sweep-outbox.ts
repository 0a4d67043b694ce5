import type { Shop } from "#shared/application/shop.ts";
import { erasedIdsToSweep } from "#shared/storage/customer/erased-ids.ts";
import { type OutboxMessage, openOutbox } from "#shared/storage/outbox.ts";
import type { ErasedIdChanges } from "#shared/queues/queue-messages.ts";

type SweepingShop = Shop<"table" | "outboxQueue" | "erasedIdsQueue" | "log" | "now">;

/** After this time no further page is read; the next run reads the remaining pages. */
const workingMs = 40_000;

/**
 * Enqueues outbox rows again if they have waited too long: their message was lost or dropped. Safe to repeat: the mail
 * of a row is sent once, even if several messages name the row.
 */
export async function sweepOutbox(shop: SweepingShop): Promise<void> {
  const { table, outboxQueue: queue, log, now } = shop;
  const begun = now();
  let after: Record<string, unknown> | undefined;
  let count = 0;
  do {
    const { records, next } = await openOutbox(table).listToSweep(begun, after);
    await queue.send(
      records.map(({ id }): OutboxMessage => ({ id })),
      { causes: records.map(({ caused_by }) => caused_by) },
    );
    // Rows are marked after their messages are sent. After a crash in between, the next run enqueues them again.
    await Promise.all(records.map((row) => openOutbox(table).swept(row, now())));
    count += records.length;
    after = next;
  } while (after && now().getTime() - begun.getTime() < workingMs);
  const erased = await erasedIdsToSweep(table, begun);
  if (erased.length > 0) {
    await shop.erasedIdsQueue.send([{ changes: erased } satisfies ErasedIdChanges]);
    log.warn("Ids of erased customers enqueued again: not yet in the ledger of erased customers", {
      count: erased.length,
    });
  }
  if (count > 0) log.warn("Outbox rows enqueued again", { count });
}
