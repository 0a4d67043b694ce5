import { isDeepStrictEqual } from "node:util";
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import type * as z from "zod";
import { expressionScope } from "./conditions.ts";
import { cancellationOf, openDynamoDb, plain, failedConditionOf } from "./dynamodb.ts";
import { type IndexName, type Item, type Key, type Readable, recordOf } from "./entity.ts";
import { checkDistinct, checkKey, checkQuery, checkTransaction, checkWrite } from "./limits.ts";
import {
  type KeyRange,
  type RecordPage,
  type PageOptions,
  endAt,
  readPage,
  sortKeyAt,
} from "./pages.ts";
import { raiseGeneration, withGeneration } from "./public-generation.ts";
import type { Read } from "./reads.ts";
import { type Pause, wait } from "../runtime/pause.ts";
import { isPassingReason, untilAllProcessed, untilNoConflict } from "./retries.ts";
import { batchRequest, transactItem } from "./write-requests.ts";
import { Refused, type TransactionWrite, type Write, errorOf, writeOf } from "./writes.ts";

type RecordSchema = z.ZodObject;

type Found<Reads> = Reads extends readonly Read<infer Record>[] ? (Record | undefined)[] : never;

/** An entity whose items are read from a partition. */
type Kind = Readable;

export interface Table {
  /** Reads one item, strongly consistent. */
  get<Schema extends RecordSchema, Id>(
    of: Readable<Schema, Id>,
    id: Id,
  ): Promise<z.output<Schema> | undefined>;
  /**
   * Reads many items of any entities in one request, strongly consistent. Each group keeps its order. More than 100
   * distinct keys are split into concurrent requests.
   */
  getMany<Groups extends Record<string, readonly Read[]>>(
    groups: Groups,
  ): Promise<{ [Name in keyof Groups]: Found<Groups[Name]> }>;
  /**
   * Reads one page of a range, or all of it: see `PageOptions`. It is strongly consistent, except from an index.
   *
   * @throws InvalidRequest when `limit` is below 1, or `between` is reversed
   */
  page<Schema extends RecordSchema, Id, Found = z.output<Schema>>(
    of: Readable<Schema, Id>,
    range: KeyRange,
    options?: PageOptions<z.output<Schema>, Found>,
  ): Promise<RecordPage<NoInfer<Found>>>;
  /** Reads all items of a partition, strongly consistent, grouped by entity. Items of other entities are left out. */
  getPartition<Kinds extends Record<string, Kind>>(
    partition: string,
    kinds: Kinds,
  ): Promise<{ [Name in keyof Kinds]: z.output<Kinds[Name]["schema"]>[] }>;
  /**
   * Deletes all items of a partition except those whose sort key starts with one of `except`. It is not atomic: a
   * failure leaves some items, and the call may be repeated.
   */
  clear(partition: string, options?: { except?: readonly string[] }): Promise<void>;
  /**
   * Performs one write. When its condition fails, throws the write's own error or, if it has none, Refused. An update
   * returns the new item, unless its entity has `isPublic`. The item is not parsed: a caller that needs it uses
   * `recordOf`, so an unreadable row does not fail other callers.
   */
  write(write: TransactionWrite): Promise<Record<string, unknown> | undefined>;
  /**
   * Stores and removes any number of distinct records, and overwrites existing ones. It is not atomic: a failure leaves
   * some writes done, and the call may be repeated. Accepts only puts and removals without conditions.
   */
  writeMany(writes: readonly Write[]): Promise<void>;
  /**
   * Performs up to 100 writes atomically. If conditions fail, the first refused write decides the error: `transact`
   * throws that write's own error or, if it has none, Refused with every write whose condition failed. If a write
   * changes public data, the transaction also raises the public generation (see `PublicGeneration`).
   *
   * @param options.maxConflicts after which other transactions count as changes that the caller must read: `transact`
   *   throws Refused. Default: it retries until the deadline
   */
  transact(writes: readonly TransactionWrite[], options?: { maxConflicts?: number }): Promise<void>;
}

/** Sends the commands of a table, with the exceptions of `openDynamoDb`. */
export type TableClient = Pick<DynamoDBDocumentClient, "send">;

/**
 * Opens the table. Nothing is sent until the first call. Every call throws Unavailable when DynamoDB throttles, does
 * not answer in time or cannot be reached.
 *
 * @param options.client default: a client of DynamoDB at `endpoint`
 * @param options.pause waits the given ms between retries; tests pass their own
 * @param options.requestTimeout how long each attempt waits for an answer, in ms
 */
export function openTable(options: {
  name: string;
  endpoint?: string | undefined;
  client?: TableClient | undefined;
  pause?: Pause;
  requestTimeout?: number;
}): Table {
  const { client = openDynamoDb(options.endpoint, options) } = options;
  const { name: TableName, pause = wait } = options;

  const get: Table["get"] = async (of, id) => {
    const Key = of.key(id);
    checkKey(of.name, Key);
    const request = new GetCommand({ TableName, Key, ConsistentRead: true });
    const { Item } = await client.send(request);
    return Item && recordOf(of, Item);
  };

  async function fetchChunk(
    keys: Key[],
    into: Map<string, Record<string, unknown>>,
    only: object,
  ): Promise<void> {
    const pending: Record<string, unknown>[] = keys.map(({ pk, sk }) => ({ pk, sk }));
    const read = async (Keys: Record<string, unknown>[]) => {
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetCommand({
          RequestItems: { [TableName]: { Keys, ConsistentRead: true, ...only } },
        }),
      );
      for (const item of Responses?.[TableName] ?? [])
        into.set(`${item["pk"]}\n${item["sk"]}`, item);
      return UnprocessedKeys?.[TableName]?.Keys;
    };
    await untilAllProcessed(pending, "reads", read, pause);
  }

  const getMany: Table["getMany"] = async (groups) => {
    const keys = new Map<string, Key>();
    for (const reads of Object.values(groups)) {
      for (const { entity, key } of reads) {
        checkKey(entity, key);
        keys.set(`${key.pk}\n${key.sk}`, key);
      }
    }
    const items = new Map<string, Record<string, unknown>>();
    const only = membersOf(Object.values(groups).flat());
    const chunks = inChunks([...keys.values()], 100);
    await Promise.all(chunks.map((chunk) => fetchChunk(chunk, items, only)));
    // The type of `fromEntries` does not tell which group has which records.
    return Object.fromEntries(
      Object.entries(groups).map(([group, reads]) => [
        group,
        reads.map(({ key, toRecord }) => {
          const item = items.get(`${key.pk}\n${key.sk}`);
          return item && toRecord(item);
        }),
      ]),
    ) as { [Name in keyof typeof groups]: Found<(typeof groups)[Name]> };
  };

  const page: Table["page"] = async (of, range, options = {}) => {
    const { index = "", partition, newestFirst } = range;
    checkQuery(of.name, { ...range, ...options });
    return readPage(async ({ limit, after }) => {
      const scope = expressionScope();
      const pk = `${scope.name(`${index}pk`)} = ${scope.value(partition)}`;
      const sk = sortKeyCondition(scope, `${index}sk`, range);
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName,
          ...(index ? { IndexName: index } : { ConsistentRead: true }),
          KeyConditionExpression: pk + sk,
          ...projectionOf("members" in of ? of : {}, scope, index),
          ...scope.attributes(),
          ...(limit !== undefined && { Limit: limit }),
          ...(newestFirst && { ScanIndexForward: false }),
          ...(after && { ExclusiveStartKey: after }),
        }),
      );
      return {
        rows: Items.map((item) => recordOf(of, item)),
        next: LastEvaluatedKey,
        endOf(place) {
          // An item of the table has its keys.
          const item = Items[place] as Item;
          return endAt(range, sortKeyAt(range, item), item);
        },
      };
    }, options);
  };

  /** Pages through a whole partition, strongly consistent. */
  async function* pagesOf(
    partition: string,
    projection: { ProjectionExpression?: string } = {},
  ): AsyncGenerator<Record<string, unknown>[]> {
    checkQuery("a whole partition", { partition });
    let after: Record<string, unknown> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName,
          ConsistentRead: true,
          KeyConditionExpression: "pk = :partition",
          ExpressionAttributeValues: { ":partition": partition },
          ...projection,
          ...(after && { ExclusiveStartKey: after }),
        }),
      );
      yield Items;
      after = LastEvaluatedKey;
    } while (after);
  }

  const getPartition: Table["getPartition"] = async (partition, kinds) => {
    const items: Record<string, unknown>[] = [];
    for await (const page of pagesOf(partition)) items.push(...page);
    // The type of `fromEntries` does not tell which group has which records.
    return Object.fromEntries(
      Object.entries(kinds).map(([group, kind]) => [
        group,
        items.filter((item) => item["entity"] === kind.name).map((item) => recordOf(kind, item)),
      ]),
    ) as { [Name in keyof typeof kinds]: z.output<(typeof kinds)[Name]["schema"]>[] };
  };

  const clear: Table["clear"] = async (partition, { except = [] } = {}) => {
    for await (const page of pagesOf(partition, { ProjectionExpression: "pk, sk" })) {
      // The query's projection returns nothing but keys.
      const keys = (page as unknown as Key[]).filter(
        ({ sk }) => !except.some((beginning) => sk.startsWith(beginning)),
      );
      for (const chunk of inChunks(keys, 25)) {
        await Promise.all(chunk.map((Key) => client.send(new DeleteCommand({ TableName, Key }))));
      }
    }
  };

  const write: Table["write"] = async (item) => {
    const write = writeOf(item);
    checkWrite(write);
    if (write.entity.isPublic) {
      await transact([item]);
      return undefined;
    }
    return untilNoConflict(async () => {
      try {
        return await send(client, TableName, write);
      } catch (error) {
        const failed = failedConditionOf(error);
        if (!failed) throw error;
        const { conflictingItem, isRepetition } = failed;
        if (isRepetition && isAlready(write, conflictingItem)) return undefined;
        throw errorOf([item], new Refused([{ write, conflictingItem }]));
      }
    }, pause);
  };

  async function writeChunk(writes: readonly Write[]): Promise<void> {
    const requests = writes.map(batchRequest);
    const store = async (pending: typeof requests) => {
      const { UnprocessedItems } = await client.send(
        new BatchWriteCommand({ RequestItems: { [TableName]: pending } }),
      );
      // DynamoDB returns the requests that it has not processed.
      return UnprocessedItems?.[TableName] as typeof requests | undefined;
    };
    await untilAllProcessed(requests, "writes", store, pause);
  }

  const writeMany: Table["writeMany"] = async (writes) => {
    checkDistinct(writes);
    for (const each of writes) checkWrite(each);
    // A failed call must not return while other chunks are still being written: its caller may repeat it at once.
    const chunks = await Promise.allSettled(inChunks(writes, 25).map(writeChunk));
    for (const chunk of chunks) if (chunk.status === "rejected") throw chunk.reason;
    if (writes.some(({ entity }) => entity.isPublic)) await write(raiseGeneration);
  };

  const transact: Table["transact"] = async (requested, { maxConflicts } = {}) => {
    const items = withGeneration(requested, writeOf);
    const writes = items.map(writeOf);
    checkTransaction(writes);
    const TransactItems = writes.map((write) => transactItem(TableName, write));
    const failuresIn = (error: unknown, meant: (code: string) => boolean) =>
      (cancellationOf(error) ?? []).flatMap(({ Code = "None", Item }, position) => {
        const write = writes[position];
        return write && meant(Code) ? [{ write, conflictingItem: plain(Item) }] : [];
      });
    const attemptOnce = async () => {
      try {
        // Each of our retries is a new transaction; the SDK's own retries share one token.
        await client.send(new TransactWriteCommand({ TransactItems }));
      } catch (error) {
        const [first, ...others] = failuresIn(error, (code) => code === "ConditionalCheckFailed");
        throw first ? errorOf(items, new Refused([first, ...others])) : error;
      }
    };
    try {
      await untilNoConflict(attemptOnce, pause, maxConflicts);
    } catch (error) {
      const [first, ...others] = failuresIn(error, isPassingReason);
      throw first ? new Refused([first, ...others]) : error;
    }
  };

  return { get, getMany, page, getPartition, clear, write, writeMany, transact };
}

/** The attributes that tell where an item is in the table, or in the partition of an index. */
const keyNames = (index: IndexName | "") => (index ? ["pk", "sk", `${index}sk`] : ["pk", "sk"]);

/** Limits an answer to the members of a projection, and the key. */
const projectionOf = (
  { members }: { readonly members?: readonly string[] },
  { name }: ReturnType<typeof expressionScope>,
  index: IndexName | "" = "",
) =>
  members ? { ProjectionExpression: [...keyNames(index), ...members].map(name).join(", ") } : {};

/** The projection of a batch, whose reads share one; none if one of them reads more. */
function membersOf(reads: readonly Read[]) {
  const members = reads[0]?.members;
  if (!members || reads.some((read) => read.members !== members)) return {};
  const scope = expressionScope();
  return { ...projectionOf({ members }, scope), ...scope.attributes() };
}

function sortKeyCondition(
  scope: ReturnType<typeof expressionScope>,
  attribute: string,
  { prefix, between }: Pick<KeyRange, "prefix" | "between">,
): string {
  if (between) {
    const [low, high] = between.map(scope.value);
    return ` AND ${scope.name(attribute)} BETWEEN ${low} AND ${high}`;
  }
  if (prefix === undefined) return "";
  return ` AND begins_with(${scope.name(attribute)}, ${scope.value(prefix)})`;
}

async function send(
  client: TableClient,
  TableName: string,
  write: Write,
): Promise<Record<string, unknown> | undefined> {
  const { Put, Update, Delete } = transactItem(TableName, write);
  if (Put) await client.send(new PutCommand(Put));
  else if (Delete) await client.send(new DeleteCommand(Delete));
  else if (Update) {
    const request = new UpdateCommand({ ...Update, ReturnValues: "ALL_NEW" });
    const { Attributes } = await client.send(request);
    return Attributes;
  } else throw new TypeError("A check is allowed only in a transaction");
  return undefined;
}

/**
 * Whether a refused put was stored before. The SDK retries a put whose answer was lost, and the conflicting item is
 * then the put's own.
 */
const isAlready = (write: Write, conflictingItem: Record<string, unknown> | undefined): boolean =>
  write.kind === "put" && isDeepStrictEqual(conflictingItem, withoutUndefined(write.item));

/** The item as the DocumentClient stores it: without undefined members. */
const withoutUndefined = (item: Item): unknown => JSON.parse(JSON.stringify(item));

function inChunks<Element>(list: readonly Element[], size: number): Element[][] {
  const chunks: Element[][] = [];
  for (let start = 0; start < list.length; start += size)
    chunks.push(list.slice(start, start + size));
  return chunks;
}
