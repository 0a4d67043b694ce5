import type { SQSBatchResponse, SQSRecord } from "aws-lambda";
import { becauseOf } from "#shared/runtime/cause.ts";

/**
 * Processes the messages of a FIFO queue: the messages of one group in order, and several groups concurrently. A failed
 * message is retried with all later messages of its group; other groups continue.
 *
 * @param work returns whether the message is done; it does not throw
 */
export async function workInGroups(
  records: readonly SQSRecord[],
  work: (record: SQSRecord) => Promise<boolean>,
): Promise<SQSBatchResponse> {
  const groups = Map.groupBy(records, ({ attributes }) => attributes.MessageGroupId);
  const failed = await Promise.all(Array.from(groups.values(), (group) => inTurn(group, work)));
  return {
    batchItemFailures: failed.flat().map(({ messageId }) => ({ itemIdentifier: messageId })),
  };
}

/** @returns the first failed message and all messages after it */
async function inTurn(
  records: readonly SQSRecord[],
  work: (record: SQSRecord) => Promise<boolean>,
): Promise<SQSRecord[]> {
  for (const [position, record] of records.entries()) {
    if (!(await becauseOf(record, () => work(record)))) return records.slice(position);
  }
  return [];
}
