import { isDeepStrictEqual } from "node:util";
import type { CancellationReason } from "@aws-sdk/client-dynamodb";
import { tableDefinition } from "#shared/storage/table-definition.ts";
import { capacityOfRead, capacityOfWrite } from "./capacity.ts";
import {
  checkCount,
  checkDistinct,
  checkedItem,
  checkedKey,
  checkedRow,
  checkedStart,
  keyOf,
} from "./checks.ts";
import { type ChangeStream, changeStream } from "./change-stream.ts";
import {
  changedPaths,
  checkPlaceholders,
  isMet,
  keyConditionOf,
  projected,
  updated,
} from "./expressions.ts";
import {
  cancelled,
  conditionFailed,
  invalid,
  marshalled,
  noSuchTable,
  unsupported,
} from "./refusals.ts";
import type {
  BatchedWrite,
  Input,
  ItemRequest,
  KeysToRead,
  Operation,
  TransactedKind,
} from "./requests.ts";
import {
  type Row,
  type Rows,
  copyOf,
  everyRow,
  findRow,
  places,
  replaceRow,
  rowsIn,
} from "./rows.ts";
import { plainItem, storedItem } from "./values.ts";

/** An output of the DocumentClient, with the capacity units that DynamoDB would count. */
export interface Answer {
  readonly output: Record<string, unknown>;
  readonly readUnits: number;
  readonly writeUnits: number;
}

const pageBytes = 1_024 * 1_024;
const batchBytes = 16 * 1_024 * 1_024;
const transactionBytes = 4 * 1_024 * 1_024;
const { partitionKey, sortKey, timeToLive } = tableDefinition;
/** DynamoDB never deletes items that expired longer ago, in seconds. */
const oldestExpiry = 5 * 365 * 86_400;

/** What a write changes. */
interface Change {
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** The rows of a table and DynamoDB's operations on them. Every operation happens at once. */
export function tableOperations(TableName: string, rows: Rows) {
  const stream: ChangeStream = changeStream();
  /** What reads of the index and inconsistent reads see, while they lag. */
  let lagging: { readonly rows: Rows; readonly entities: ReadonlySet<string> } | undefined;

  function apply({ before, after }: Change, expired = false): void {
    if (!before && !after) return;
    if (lagging) {
      const { item } = (after ?? before)!;
      const seen = findRow(lagging.rows, keyOf(item));
      const isLate = lagging.entities.has(String(item["entity"]));
      replaceRow(lagging.rows, seen, isLate ? before : after);
    }
    // DynamoDB writes no record for a write that changes nothing.
    if (before && after && isDeepStrictEqual(before.item, after.item)) return;
    replaceRow(rows, before, after);
    stream.add(before, after, expired);
  }

  const seenBy = (isConsistent: boolean | undefined): Rows =>
    isConsistent ? rows : (lagging?.rows ?? rows);

  function get(input: Input): Answer {
    checkPlaceholders(input);
    const row = findRow(seenBy(input.ConsistentRead), checkedKey(input.Key));
    return {
      output: row ? { Item: plainItem(projected(input, row.item)) } : {},
      readUnits: capacityOfRead(row?.bytes ?? 0, input.ConsistentRead),
      writeUnits: 0,
    };
  }

  function batchGet({ RequestItems = {} }: Input): Answer {
    const { Keys, ConsistentRead, ...expressions } = onlyTable(RequestItems) as KeysToRead;
    checkPlaceholders(expressions);
    checkCount(Keys.length, 100);
    const keys = Keys.map(checkedKey);
    checkDistinct(keys, "Provided list of item keys contains duplicates");
    const found: Record<string, unknown>[] = [];
    const unread: Record<string, unknown>[] = [];
    let [bytes, readUnits] = [0, 0];
    for (const key of keys) {
      const row = findRow(seenBy(ConsistentRead), key);
      if (bytes + (row?.bytes ?? 0) > batchBytes) {
        unread.push({ ...key });
        continue;
      }
      bytes += row?.bytes ?? 0;
      readUnits += capacityOfRead(row?.bytes ?? 0, ConsistentRead);
      if (row) found.push(plainItem(projected(expressions, row.item)));
    }
    const rest = { Keys: unread, ...(ConsistentRead && { ConsistentRead }), ...expressions };
    return {
      output: {
        Responses: { [TableName]: found },
        UnprocessedKeys: unread.length > 0 ? { [TableName]: rest } : {},
      },
      readUnits,
      writeUnits: 0,
    };
  }

  function query(input: Input): Answer {
    const { IndexName, ConsistentRead, Limit, ExclusiveStartKey, ScanIndexForward } = input;
    const place = places.find(({ index }) => index === IndexName);
    if (!place) throw invalid(`The table does not have the specified index: ${IndexName}`);
    if (IndexName !== undefined && ConsistentRead)
      throw invalid("Consistent reads are not supported on global secondary indexes");
    if (Limit !== undefined && Limit < 1) throw invalid("Limit must be greater than or equal to 1");
    checkPlaceholders(input);
    const condition = keyConditionOf(input, place);
    const names = new Set([partitionKey, sortKey, place.pk, place.sk]);
    const after = ExclusiveStartKey && checkedStart(ExclusiveStartKey, names);
    if (after && after[place.pk] !== condition.partition)
      throw invalid(
        "The provided starting key is outside query boundaries based on provided conditions",
      );
    const candidates = rowsIn(seenBy(ConsistentRead), place, condition, {
      newestFirst: ScanIndexForward === false,
      after,
    });
    let [bytes, count] = [0, 0];
    while (count < Math.min(candidates.length, Limit ?? Infinity) && bytes < pageBytes) {
      bytes += candidates[count]!.bytes;
      count += 1;
    }
    const page = candidates.slice(0, count);
    const last = page.at(-1)?.item;
    const isWhole = count === candidates.length && count !== Limit && bytes < pageBytes;
    return {
      output: {
        Items: page.map(({ item }) => plainItem(projected(input, item))),
        Count: count,
        ScannedCount: count,
        ...(last &&
          !isWhole && {
            LastEvaluatedKey: Object.fromEntries([...names].map((name) => [name, last[name]])),
          }),
      },
      readUnits: capacityOfRead(bytes, ConsistentRead),
      writeUnits: 0,
    };
  }

  /** @throws a ValidationException for requests that are refused whatever the item is */
  function checkWrite(kind: TransactedKind, request: ItemRequest): { pk: string; sk: string } {
    if (request.TableName !== TableName) throw noSuchTable();
    checkPlaceholders(request);
    if (kind === "Put") return checkedItem(storedItem(request.Item ?? {}));
    if (kind === "Update") {
      for (const [name] of changedPaths(request)) {
        if (name === partitionKey || name === sortKey)
          throw invalid(`Cannot update attribute ${name}. This attribute is part of the key`);
      }
    }
    return checkedKey(request.Key);
  }

  /** @throws a ValidationException for writes that the item does not allow */
  function changeOf(kind: TransactedKind, request: ItemRequest, before: Row | undefined): Change {
    switch (kind) {
      case "Put":
        return { before, after: checkedRow(storedItem(request.Item ?? {})) };
      case "Update": {
        const item = updated(request, before?.item ?? storedItem(request.Key ?? {}));
        return { before, after: checkedRow(item) };
      }
      case "Delete":
        return { before, after: undefined };
      case "ConditionCheck":
        return { before, after: before };
    }
  }

  const shown = (
    { ReturnValuesOnConditionCheckFailure: values }: ItemRequest,
    row: Row | undefined,
  ) => (values === "ALL_OLD" ? row?.item : undefined);

  function write(kind: "Put" | "Update" | "Delete", input: Input, attempt: number): Answer {
    const before = findRow(rows, checkWrite(kind, input));
    if (!isMet(input, before?.item)) throw conditionFailed(shown(input, before), attempt);
    const change = changeOf(kind, input, before);
    const { ReturnValues = "NONE" } = input;
    if (ReturnValues !== "NONE" && ReturnValues !== "ALL_NEW")
      throw unsupported(`ReturnValues ${ReturnValues}`);
    apply(change);
    const isReturned = ReturnValues === "ALL_NEW" && change.after;
    return {
      output: isReturned ? { Attributes: plainItem(isReturned.item) } : {},
      readUnits: 0,
      writeUnits: capacityOfWrite(change),
    };
  }

  function batchWrite({ RequestItems = {} }: Input): Answer {
    const requests = onlyTable(RequestItems) as readonly BatchedWrite[];
    checkCount(requests.length, 25);
    const writes = requests.map(({ PutRequest, DeleteRequest }) => {
      const kind: TransactedKind = PutRequest ? "Put" : "Delete";
      const request = { TableName, ...PutRequest, ...DeleteRequest };
      return { kind, request, key: checkWrite(kind, request) };
    });
    checkDistinct(
      writes.map(({ key }) => key),
      "Provided list of item keys contains duplicates",
    );
    const changes = writes.map(({ kind, request, key }) =>
      changeOf(kind, request, findRow(rows, key)),
    );
    for (const change of changes) apply(change);
    const writeUnits = changes.reduce((sum, change) => sum + capacityOfWrite(change), 0);
    return { output: { UnprocessedItems: {} }, readUnits: 0, writeUnits };
  }

  function transactWrite({ TransactItems = [] }: Input): Answer {
    checkCount(TransactItems.length, 100);
    const writes = TransactItems.map((member) => {
      const [kind, request] = Object.entries(member)[0] as [TransactedKind, ItemRequest];
      return { kind, request, key: checkWrite(kind, request) };
    });
    checkDistinct(
      writes.map(({ key }) => key),
      "Transaction request cannot include multiple operations on one item",
    );
    const changes: Change[] = [];
    const reasons = writes.map(({ kind, request, key }): CancellationReason => {
      const before = findRow(rows, key);
      const item = shown(request, before);
      if (!isMet(request, before?.item))
        return {
          Code: "ConditionalCheckFailed",
          Message: "The conditional request failed",
          ...(item && { Item: marshalled(item) }),
        };
      try {
        changes.push(changeOf(kind, request, before));
      } catch (error) {
        if ((error as Error).name !== "ValidationException") throw error;
        return { Code: "ValidationError", Message: (error as Error).message };
      }
      return { Code: "None" };
    });
    if (reasons.some(({ Code }) => Code !== "None")) throw cancelled(reasons);
    const bytes = changes.reduce((sum, { after }) => sum + (after?.bytes ?? 0), 0);
    if (bytes > transactionBytes)
      throw invalid("Transaction request size exceeds the limit of 4 MB");
    for (const change of changes) apply(change);
    const writeUnits = changes.reduce((sum, change) => sum + 2 * capacityOfWrite(change), 0);
    return { output: {}, readUnits: 0, writeUnits };
  }

  function onlyTable<Requests>(RequestItems: Record<string, Requests>): Requests {
    const [[name, requests] = []] = Object.entries(RequestItems);
    if (name !== TableName || requests === undefined) throw noSuchTable();
    return requests;
  }

  return {
    stream,
    /** @param attempt of the SDK's client */
    perform(operation: Operation, input: Input, attempt: number): Answer {
      const isAlone = !input.RequestItems && !input.TransactItems;
      if (isAlone && input.TableName !== TableName) throw noSuchTable();
      switch (operation) {
        case "GetItem":
          return get(input);
        case "BatchGetItem":
          return batchGet(input);
        case "Query":
          return query(input);
        case "PutItem":
          return write("Put", input, attempt);
        case "UpdateItem":
          return write("Update", input, attempt);
        case "DeleteItem":
          return write("Delete", input, attempt);
        case "BatchWriteItem":
          return batchWrite(input);
        case "TransactWriteItems":
          return transactWrite(input);
      }
    },
    /** Deletes the items that have expired, as DynamoDB does some time after their `ttl`. */
    expire(now: Date): void {
      const seconds = now.getTime() / 1_000;
      for (const row of everyRow(rows)) {
        const ttl = row.item[timeToLive];
        if (typeof ttl === "number" && ttl <= seconds && ttl > seconds - oldestExpiry)
          apply({ before: row, after: undefined }, true);
      }
    },
    /** From now on reads that may lag do so for these entities. @returns a function that ends it */
    lag(entities: readonly string[]): () => void {
      lagging = { rows: copyOf(rows), entities: new Set(entities) };
      return () => (lagging = undefined);
    },
  };
}
