import { randomUUID } from "node:crypto";
import type { DynamoDBRecord } from "aws-lambda";
import type { ObjectStore } from "#shared/files/object-store.ts";

/** Stores records that a function could not process before they reached their maximum age. */
export type StoreFailedBatch = (
  records: readonly DynamoDBRecord[],
  of: { readonly functionName: string; readonly streamArn: string; readonly attempts: number },
) => Promise<void>;

/**
 * Writes what Lambda writes to a stream's on-failure bucket.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
export function openFailedBatches(objects: Pick<ObjectStore, "put">): StoreFailedBatch {
  return async (records, { functionName, streamArn, attempts }) => {
    const timestamp = new Date().toISOString();
    const [first, last] = [records[0]?.dynamodb, records.at(-1)?.dynamodb];
    const failed = {
      requestContext: {
        requestId: randomUUID(),
        functionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
        condition: "RecordAgeExceeded",
        approximateInvokeCount: attempts,
      },
      responseContext: { statusCode: 200, executedVersion: "$LATEST", functionError: "Unhandled" },
      version: "1.0",
      timestamp,
      DDBStreamBatchInfo: {
        shardId: "local",
        startSequenceNumber: first?.SequenceNumber,
        endSequenceNumber: last?.SequenceNumber,
        approximateArrivalOfFirstRecord: arrivalOf(first),
        approximateArrivalOfLastRecord: arrivalOf(last),
        batchSize: records.length,
        streamArn,
      },
      payload: JSON.stringify({ Records: records }),
    };
    const [day = "", time = ""] = timestamp.split("T");
    const folder = `aws/lambda/local/local/${day.replaceAll("-", "/")}`;
    const key = `${folder}/${day}T${time.slice(0, 8).replaceAll(":", ".")}-${randomUUID()}`;
    await objects.put(key, Buffer.from(JSON.stringify(failed)), "application/json");
  };
}

const arrivalOf = (change: DynamoDBRecord["dynamodb"]): string =>
  new Date((change?.ApproximateCreationDateTime ?? 0) * 1000).toISOString();
