import type { SQSBatchResponse, SQSRecord } from "aws-lambda";
import type * as z from "zod";
import {
  type Cause,
  because,
  causeOfAll,
  causeOfMessage,
  currentCause,
} from "#shared/runtime/cause.ts";
import type { Log } from "#shared/runtime/log.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";

/**
 * Once this many changes have failed on their own, the remaining changes are not processed: the reason is probably an
 * outage, not the changes.
 */
const maxSingled = 5;

interface Caused<Change> {
  readonly change: Change;
  /** The combined cause of all messages that contain the change. */
  readonly cause: Cause;
}

/**
 * Processes all changes of a batch together. If that fails, it processes each half separately, and so on, until it has
 * found the changes that fail alone. Only messages with these changes, and unreadable messages, are retried and end in
 * the dead-letter queue. The changes must be safe to process repeatedly and in any order.
 */
export async function workThrough<Change extends object>(
  records: readonly SQSRecord[],
  schema: z.ZodType<{ changes: Change[] }>,
  work: (changes: readonly Change[]) => Promise<void>,
  log: Pick<Log, "error">,
): Promise<SQSBatchResponse> {
  const messages = records.map((record) => {
    const cause = causeOfMessage(record) ?? currentCause();
    return { record, cause, changes: because(cause, () => changesIn(record, schema, log)) };
  });
  const all = messages.flatMap(({ changes = [], cause }) =>
    changes.map((change) => ({ change, cause })),
  );
  const failed = await workable(distinctChanges(all), work, log);
  const failedNames = new Set(failed.map(({ change }) => JSON.stringify(change)));
  const comesAgain = ({ changes }: (typeof messages)[number]) =>
    changes?.some((change) => failedNames.has(JSON.stringify(change))) ?? true;
  return {
    batchItemFailures: messages
      .filter(comesAgain)
      .map(({ record }) => ({ itemIdentifier: record.messageId })),
  };
}

function distinctChanges<Change>(all: readonly Caused<Change>[]): Caused<Change>[] {
  const byName = Map.groupBy(all, ({ change }) => JSON.stringify(change));
  return [...byName.values()].flatMap((same) => {
    const cause = causeOfAll(same.map((each) => each.cause));
    return same.slice(0, 1).map(({ change }) => ({ change, cause }));
  });
}

/** The changes in a message; undefined if this release cannot read it. */
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
  all: readonly Caused<Change>[],
  work: (changes: readonly Change[]) => Promise<void>,
  log: Pick<Log, "error">,
): Promise<Caused<Change>[]> {
  const failed: Caused<Change>[] = [];
  const rest = all.length > 0 ? [[...all]] : [];
  while (rest.length > 0) {
    const some = rest.pop() ?? [];
    const problem = await because(causeOfAll(some.map(({ cause }) => cause)), () =>
      problemOf(
        some.map(({ change }) => change),
        work,
        log,
      ),
    );
    if (!problem) continue;
    const isSingle = some.length === 1;
    if (problem.cause instanceof Unavailable || (isSingle && failed.length + 1 >= maxSingled)) {
      return [...failed, ...some, ...rest.flat()];
    }
    if (isSingle) failed.push(...some);
    else {
      const middle = Math.ceil(some.length / 2);
      rest.push(some.slice(middle), some.slice(0, middle));
    }
  }
  return failed;
}

/** @returns why the changes could not be processed together; undefined if they were */
async function problemOf<Change>(
  changes: readonly Change[],
  work: (changes: readonly Change[]) => Promise<void>,
  log: Pick<Log, "error">,
): Promise<{ cause: unknown } | undefined> {
  try {
    await work(changes);
    return undefined;
  } catch (cause) {
    const isSingle = changes.length === 1;
    const count = changes.length;
    log.error("Changes not processed: they are retried, one by one if necessary", {
      cause,
      count,
      ...(isSingle && { change: changes[0] }),
    });
    return { cause };
  }
}
