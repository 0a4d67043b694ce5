import type { SQSBatchResponse, SQSRecord } from "aws-lambda";

/**
 * Works on the messages of a queue that keeps order: those of a group one after the other, groups concurrently.
 * What failed comes again with all that follows it in its group; other groups are not held up.
 *
 * @param work whether the message is done with; it does not throw
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

/** @returns the first that failed, and all behind it */
async function inTurn(
  records: readonly SQSRecord[],
  work: (record: SQSRecord) => Promise<boolean>,
): Promise<SQSRecord[]> {
  for (const [position, record] of records.entries()) {
    if (!(await work(record))) return records.slice(position);
  }
  return [];
}
