/** One request to DynamoDB, as the proxy saw it. */
export interface StorageCall {
  readonly operation: string;
  /** The id of the SDK call, which all its attempts share. */
  readonly invocation: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** The partition keys of the request's items, in order. A query of an index has the index's partition key. */
  readonly partitions: readonly string[];
  /** The partition keys and sort keys of the items that a transaction writes or checks. */
  readonly transactedItems: readonly string[];
  /** Whether every read of the request is strongly consistent; null for writes. */
  readonly consistent: boolean | null;
  /** Milliseconds on the clock of `performance.now()`. */
  readonly arrivedAt: number;
  answeredAt: number;
  readUnits: number;
  writeUnits: number;
  /** Bytes of the response's body. */
  answerBytes: number;
}

const readOperations = new Set(["GetItem", "BatchGetItem", "Query", "TransactGetItems"]);
const writeOperations = new Set([
  "PutItem",
  "UpdateItem",
  "DeleteItem",
  "BatchWriteItem",
  "TransactWriteItems",
]);

/** Whether the request reads or writes items. Administration of tables and streams does not. */
export const isAboutItems = (operation: string) =>
  readOperations.has(operation) || writeOperations.has(operation);

type Attributes = Readonly<Record<string, unknown>>;
interface Named {
  readonly Key?: Attributes | undefined;
  readonly Item?: Attributes | undefined;
}

/** The members of DynamoDB's requests that name items, in its own format or in that of the DocumentClient. */
export interface ItemRequest extends Named {
  readonly ConsistentRead?: boolean | undefined;
  readonly ExpressionAttributeValues?: Attributes | undefined;
  readonly RequestItems?: Readonly<Record<string, object>> | undefined;
  readonly TransactItems?: readonly object[] | undefined;
}

interface KeysToRead {
  readonly Keys?: readonly Attributes[];
  readonly ConsistentRead?: boolean;
}

/** The text of a key attribute, in either format. */
const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : (value as { S?: string } | undefined)?.S;

/** What the writes of a transaction name. */
const writesOf = ({ TransactItems = [] }: ItemRequest): Named[] =>
  TransactItems.flatMap((entry) => Object.values(entry) as Named[]);

export function partitionsOf(request: ItemRequest): string[] {
  const { RequestItems = {}, Key, Item, ExpressionAttributeValues } = request;
  const single = Key ?? Item;
  const keys = [
    ...(single ? [single] : []),
    ...Object.values(RequestItems).flatMap(({ Keys = [] }: KeysToRead) => Keys),
    ...writesOf(request).map((named) => named.Key ?? named.Item ?? {}),
  ];
  if (keys.length > 0) return keys.map((key) => textOf(key["pk"]) ?? "");
  return [textOf(Object.values(ExpressionAttributeValues ?? {})[0]) ?? ""];
}

export const transactedItemsOf = (request: ItemRequest): string[] =>
  writesOf(request).map(({ Key, Item }) => {
    const { pk, sk } = Key ?? Item ?? {};
    return `${textOf(pk)}|${textOf(sk)}`;
  });

export function consistencyOf(
  operation: string,
  { ConsistentRead, RequestItems }: ItemRequest,
): boolean | null {
  if (!readOperations.has(operation)) return null;
  if (operation === "TransactGetItems") return true;
  return RequestItems
    ? Object.values(RequestItems).every((table: KeysToRead) => table.ConsistentRead === true)
    : ConsistentRead === true;
}

interface Consumed {
  CapacityUnits?: number;
}

/** The consumed capacity units of a response. */
export function unitsOf(operation: string, answer: { ConsumedCapacity?: Consumed | Consumed[] }) {
  const total = [answer.ConsumedCapacity ?? []]
    .flat()
    .reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  return readOperations.has(operation)
    ? { readUnits: total, writeUnits: 0 }
    : { readUnits: 0, writeUnits: total };
}

/** The sum of the units of several calls. */
export function totalUnits(calls: readonly StorageCall[]): { read: number; write: number } {
  return {
    read: calls.reduce((sum, call) => sum + call.readUnits, 0),
    write: calls.reduce((sum, call) => sum + call.writeUnits, 0),
  };
}

/** The number of sequential steps: overlapping calls are one step. */
export function sequentialSteps(calls: readonly StorageCall[]): number {
  let steps = 0;
  let stepEnds = -Infinity;
  for (const { arrivedAt, answeredAt } of calls.toSorted(
    (one, other) => one.answeredAt - other.answeredAt,
  )) {
    if (arrivedAt < stepEnds) continue;
    steps += 1;
    stepEnds = answeredAt;
  }
  return steps;
}
