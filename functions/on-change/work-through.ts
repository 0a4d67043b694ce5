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
  return retried(messages.filter(comesAgain).map(({ record }) => record));
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

/** Work on single messages. */
interface MessageWork {
  /** Returns false if the message is not done: the queue then delivers it again. */
  readonly work: (message: SQSRecord) => Promise<boolean | void>;
  /** Logs why a message failed. The queue delivers it again. */
  readonly failed: (cause: unknown, messageId: string) => void;
  /** The trigger of messages that name no cause, because AWS sends them. */
  readonly trigger?: string;
}

/** Processes messages one after the other. Only failed messages are retried. */
export async function workInTurn(
  messages: readonly SQSRecord[],
  work: MessageWork,
): Promise<SQSBatchResponse> {
  const failed: SQSRecord[] = [];
  for (const message of messages) if (!(await isDone(message, work))) failed.push(message);
  return retried(failed);
}

/**
 * Processes the messages of a FIFO queue: the messages of one group in order, and several groups concurrently. A failed
 * message is retried with all later messages of its group; other groups continue.
 */
export async function workInGroups(
  messages: readonly SQSRecord[],
  work: MessageWork,
): Promise<SQSBatchResponse> {
  const groups = Map.groupBy(messages, ({ attributes }) => attributes.MessageGroupId);
  const failed = Array.from(groups.values(), async (group) => {
    for (const [position, message] of group.entries())
      if (!(await isDone(message, work))) return group.slice(position);
    return [];
  });
  return retried((await Promise.all(failed)).flat());
}

const isDone = (message: SQSRecord, { work, failed, trigger }: MessageWork): Promise<boolean> =>
  because(causeOfMessage(message) ?? (trigger ? { trigger } : currentCause()), async () => {
    try {
      return (await work(message)) !== false;
    } catch (cause) {
      failed(cause, message.messageId);
      return false;
    }
  });

/** The answer to a queue that must deliver these messages again. */
export const retried = (messages: readonly SQSRecord[]): SQSBatchResponse => ({
  batchItemFailures: messages.map(({ messageId }) => ({ itemIdentifier: messageId })),
});

/** An error's name. It is logged where the error's message may contain personal data. */
export const nameOfError = (error: unknown): string =>
  error instanceof Error ? error.name : "unknown";
