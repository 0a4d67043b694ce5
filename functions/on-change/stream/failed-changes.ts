import type { DynamoDBRecord } from "aws-lambda";
import * as z from "zod";
import type { ObjectStore } from "#shared/files/object-store.ts";

/** The bucket of changes that the stream's reader could not process; `npm run replay` processes them again. */
export interface FailedChanges {
  /** Stores one record. Storing the record again overwrites its object. */
  add(record: DynamoDBRecord): Promise<void>;
  /** Returns the records of an object. Throws when the object holds none. */
  read(key: string): Promise<DynamoDBRecord[]>;
  remove(key: string): Promise<void>;
}

const Records = z.object({
  Records: z.array(z.custom<DynamoDBRecord>((value) => typeof value === "object")).min(1),
});

/**
 * The object that Lambda stores for a batch that failed for too long. Its payload is the whole event as JSON.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
const FailedInvocation = z.object({
  payload: z.union([z.string().transform((text): unknown => JSON.parse(text)), z.unknown()]),
});

export function openFailedChanges(objects: ObjectStore): FailedChanges {
  return {
    async add(record) {
      const failed = {
        version: "1.0",
        timestamp: new Date().toISOString(),
        payload: JSON.stringify({ Records: [record] }),
      };
      await objects.put(objectOf(record), Buffer.from(JSON.stringify(failed)), "application/json");
    },
    async read(key) {
      const text = Buffer.from(await objects.get(key)).toString("utf8");
      return Records.parse(FailedInvocation.parse(JSON.parse(text)).payload).Records;
    },
    remove: (key) => objects.remove(key),
  };
}

/** Key of a single record's object. Lambda's own objects begin with `aws/lambda/`. */
export const objectOf = ({ eventID }: DynamoDBRecord): string => `unreadable/${eventID}.json`;
