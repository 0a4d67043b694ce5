import { type Queue, openQueue } from "#shared/queues/queue.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type OutboxStore, openOutbox } from "#shared/storage/outbox.ts";
import { erasedIdsToSweep } from "#shared/storage/customer/erased-ids.ts";
import { openTable } from "#shared/storage/table.ts";

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
  const {
    TABLE_NAME,
    DYNAMODB_ENDPOINT,
    OUTBOX_QUEUE_URL,
    ERASED_IDS_QUEUE_URL,
    SQS_ENDPOINT: endpoint,
  } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "OUTBOX_QUEUE_URL",
    "ERASED_IDS_QUEUE_URL",
    "SQS_ENDPOINT",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  return {
    outbox: openOutbox(table),
    queue: openQueue({ url: OUTBOX_QUEUE_URL, endpoint }),
    erasedIds: (now) => erasedIdsToSweep(table, now),
    erasedIdsQueue: openQueue({ url: ERASED_IDS_QUEUE_URL, endpoint }),
    log: openLog("on-schedule-outbox-sweep"),
    now: () => new Date(),
  };
}
