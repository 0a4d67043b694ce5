import type { OutboxMessage } from "../../on-change/outbox-message.ts";
import type { Deps } from "./deps.ts";

/** After this time no further page is read; the rest is left to the next run. */
const workingMs = 40_000;

/**
 * Enqueues outbox rows again that have waited too long, because their message was lost or dropped. Safe to repeat: a
 * row is sent once, even if several messages name it.
 */
export async function consume(_event: unknown, deps: Deps): Promise<void> {
  const { outbox, queue, log, now } = deps;
  const begun = now();
  let after: Record<string, unknown> | undefined;
  let count = 0;
  do {
    const { records, next } = await outbox.listToSweep(begun, after);
    await queue.send(records.map(({ id }): OutboxMessage => ({ id })));
    // After the messages, so that a crash in between enqueues the rows again.
    await Promise.all(records.map((row) => outbox.swept(row, now())));
    count += records.length;
    after = next;
  } while (after && now().getTime() - begun.getTime() < workingMs);
  if (count > 0) log.warn("Outbox rows enqueued again", { count });
}
