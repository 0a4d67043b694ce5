import { type Queue, openQueue } from "#shared/queues/queue.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type OutboxStore, openOutbox } from "#shared/storage/outbox.ts";
import { openTable } from "#shared/storage/table.ts";

export interface Deps {
  outbox: Pick<OutboxStore, "listToSweep" | "swept">;
  queue: Pick<Queue, "send">;
  log: Pick<Log, "warn">;
  now(): Date;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, OUTBOX_QUEUE_URL, SQS_ENDPOINT } = readEnvironment(
    environment,
    ["TABLE_NAME", "DYNAMODB_ENDPOINT", "OUTBOX_QUEUE_URL", "SQS_ENDPOINT"],
  );
  return {
    outbox: openOutbox(openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT })),
    queue: openQueue({ url: OUTBOX_QUEUE_URL, endpoint: SQS_ENDPOINT }),
    log: openLog("on-schedule-outbox-sweep"),
    now: () => new Date(),
  };
}
