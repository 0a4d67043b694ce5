import type { _Record } from "@aws-sdk/client-dynamodb-streams";
import { tableDefinition } from "#shared/storage/table-definition.ts";
import { marshalled } from "./refusals.ts";
import type { Row } from "./rows.ts";
import type { Item } from "./values.ts";

/** Reads the changes of a table in order, from the moment when it was opened. */
export interface ChangeReader {
  /** The next changes, at most this many. They are read again until `advance` is called. */
  peek(most: number): _Record[];
  /** Forgets the first changes. */
  advance(count: number): void;
  /** Calls back after every change. */
  onChange(callback: () => void): void;
  close(): void;
}

/** The stream of a table, with new and old images. Only its open readers keep changes. */
export interface ChangeStream {
  open(): ChangeReader;
  /** @param expired whether DynamoDB itself deletes the item */
  add(before: Row | undefined, after: Row | undefined, expired?: boolean): void;
}

export function changeStream(): ChangeStream {
  const readers = new Set<{ records: _Record[]; wake: () => void }>();
  let last = 0;
  return {
    open() {
      const reader = { records: [] as _Record[], wake: () => {} };
      readers.add(reader);
      return {
        peek: (most) => reader.records.slice(0, most),
        advance(count) {
          reader.records = reader.records.slice(count);
        },
        onChange(callback) {
          reader.wake = callback;
        },
        close: () => void readers.delete(reader),
      };
    },
    add(before, after, expired = false) {
      last += 1;
      const record = recordOf(last, before?.item, after?.item, expired);
      for (const reader of readers) {
        reader.records.push(record);
        reader.wake();
      }
    },
  };
}

function recordOf(
  position: number,
  before: Item | undefined,
  after: Item | undefined,
  expired: boolean,
): _Record {
  const { partitionKey, sortKey } = tableDefinition;
  const { [partitionKey]: pk, [sortKey]: sk } = (after ?? before)!;
  const change = {
    ApproximateCreationDateTime: new Date(),
    Keys: { [partitionKey]: { S: String(pk) }, [sortKey]: { S: String(sk) } },
    SequenceNumber: String(position).padStart(21, "0"),
    StreamViewType: "NEW_AND_OLD_IMAGES" as const,
  };
  if (before) defineImage(change, "OldImage", before);
  if (after) defineImage(change, "NewImage", after);
  return {
    eventID: String(position),
    eventName: before ? (after ? "MODIFY" : "REMOVE") : "INSERT",
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    awsRegion: "us-east-1",
    ...(expired && { userIdentity: { Type: "Service", PrincipalId: "dynamodb.amazonaws.com" } }),
    dynamodb: change,
  };
}

/** Marshals an image when it is first read: most readers need few of them. */
function defineImage(change: object, name: "OldImage" | "NewImage", item: Item): void {
  let image: ReturnType<typeof marshalled> | undefined;
  Object.defineProperty(change, name, {
    enumerable: true,
    get: () => (image ??= marshalled(item)),
  });
}
