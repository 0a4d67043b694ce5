import { connectConsumer } from "#functions/connect/consumer.ts";
import { connectQueue } from "#functions/connect/queue.ts";
import type { SweepDeps } from "#shared/application/mail/sweep-outbox.ts";
import { openOutbox } from "#shared/storage/outbox.ts";
import { erasedIdsToSweep } from "#shared/storage/customer/erased-ids.ts";

export type Deps = SweepDeps;

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
