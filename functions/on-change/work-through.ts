import type { SQSBatchResponse, SQSRecord } from "aws-lambda";
import type * as z from "zod";
import type { Log } from "#shared/runtime/log.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { distinct } from "./distinct.ts";

/** Up to this many failing changes are bad changes; more indicate an outage. */
const maxSingled = 5;

/**
 * Processes all changes of a batch together. If that fails, it halves them until it finds those that fail alone.
 * Only their messages, and unreadable ones, are retried and end in the dead-letter queue. The changes must be safe
 * to process repeatedly and in any order.
 */
export async function workThrough<Change extends object>(
  records: readonly SQSRecord[],
  schema: z.ZodType<{ changes: Change[] }>,
  work: (changes: readonly Change[]) => Promise<void>,
  log: Pick<Log, "error">,
): Promise<SQSBatchResponse> {
  const messages = records.map((record) => ({ record, changes: changesIn(record, schema, log) }));
  const failed = await workable(
    distinct(messages.flatMap(({ changes }) => changes ?? [])),
    work,
    log,
  );
  const failedNames = new Set(failed.map((change) => JSON.stringify(change)));
  const comesAgain = ({ changes }: (typeof messages)[number]) =>
    changes?.some((change) => failedNames.has(JSON.stringify(change))) ?? true;
  return {
    batchItemFailures: messages
      .filter(comesAgain)
      .map(({ record }) => ({ itemIdentifier: record.messageId })),
  };
}

/** Undefined if this release does not know the message. */
function changesIn<Change>(
  { messageId, body }: SQSRecord,
  schema: z.ZodType<{ changes: Change[] }>,
  log: Pick<Log, "error">,
): Change[] | undefined {
  try {
    return schema.parse(JSON.parse(body)).changes;
  } catch (cause) {
    log.error("Queue message could not be read", { message_id: messageId, cause });
    return undefined;
  }
}

/** @returns the changes that failed */
async function workable<Change extends object>(
  all: readonly Change[],
  work: (changes: readonly Change[]) => Promise<void>,
  log: Pick<Log, "error">,
): Promise<Change[]> {
  const failed: Change[] = [];
  const rest = all.length > 0 ? [[...all]] : [];
  while (rest.length > 0) {
    const changes = rest.pop() ?? [];
    try {
      await work(changes);
    } catch (cause) {
      const isSingle = changes.length === 1;
      log.error("Changes not processed", {
        cause,
        count: changes.length,
        ...(isSingle && { change: changes[0] }),
      });
      if (cause instanceof Unavailable || (isSingle && failed.length + 1 >= maxSingled)) {
        return [...failed, ...changes, ...rest.flat()];
      }
      if (isSingle) failed.push(...changes);
      else {
        const middle = Math.ceil(changes.length / 2);
        rest.push(changes.slice(middle), changes.slice(0, middle));
      }
    }
  }
  return failed;
}
