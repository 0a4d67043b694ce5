import { connectConsumer } from "#functions/connect/consumer.ts";
import { connectQueue } from "#functions/connect/queue.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Queue } from "#shared/queues/queue.ts";
import { type OutboxStore, openOutbox } from "#shared/storage/outbox.ts";
import { erasedIdsToSweep } from "#shared/storage/customer/erased-ids.ts";

export interface Deps {
  outbox: Pick<OutboxStore, "listToSweep" | "swept">;
  queue: Pick<Queue, "send">;
  /** Erased customers whose ids are not yet in the ledger outside the table. */
  erasedIds(now: Date): Promise<{ id: string }[]>;
  erasedIdsQueue: Pick<Queue, "send">;
  log: Pick<Log, "warn">;
  now(): Date;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { table, log, now } = connectConsumer(environment, "on-schedule-outbox-sweep");
  return {
    outbox: openOutbox(table),
    queue: connectQueue(environment, "OUTBOX_QUEUE_URL"),
    erasedIds: (now) => erasedIdsToSweep(table, now),
    erasedIdsQueue: connectQueue(environment, "ERASED_IDS_QUEUE_URL"),
    log,
    now,
  };
}
