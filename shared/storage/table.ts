import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { WriteRequest } from "@aws-sdk/client-dynamodb";
import type * as z from "zod";
import { type Attributes, marshalled, unmarshalled } from "./attribute-values.ts";
import { expressionScope } from "./conditions.ts";
import {
  type DynamoDb,
  cancellationOf,
  isConditionFailure,
  itemIn,
  openDynamoDb,
} from "./dynamodb.ts";
import { type Entity, type Item, type Key, recordOf } from "./entity.ts";
import { type Pause, untilAllProcessed, untilNoConflict, wait } from "./retries.ts";
import { attributesOf, putRequest, transactItem } from "./write-requests.ts";
import { Refused, type Write } from "./writes.ts";

type RecordSchema = z.ZodObject;

/** A record to fetch, made by `at`. */
export interface Read<Record = unknown> {
  readonly key: Key;
  readonly toRecord: (item: { [name: string]: unknown }) => Record;
}

/** Names a record to fetch. */
export function at<Schema extends RecordSchema, Id>(
  of: Entity<Schema, Id>,
  id: Id,
): Read<z.output<Schema>> {
  return { key: of.key(id), toRecord: (item) => recordOf(of, item) };
}

type Found<Reads> = Reads extends readonly Read<infer Record>[] ? (Record | undefined)[] : never;

/** What tells the items of one entity from others in their partition. */
type Kind = Pick<Entity, "name" | "schema">;

export interface QueryOptions {
  index?: "gsi1" | "gsi2";
  partition: string;
  /** Only sort keys that begin with this. */
  prefix?: string;
  /** In its place: only sort keys from the first to the second of these, both included. */
  between?: readonly [string, string];
  limit?: number;
  newestFirst?: boolean;
  /** Where the page before ended. */
  after?: Record<string, unknown> | undefined;
}

export interface Table {
  /** One item, strongly consistent. */
  get<Schema extends RecordSchema, Id>(
    of: Entity<Schema, Id>,
    id: Id,
  ): Promise<z.output<Schema> | undefined>;
  /**
   * Many items of any kinds in one step, strongly consistent, each group in the order asked for.
   * More than 100 distinct keys go in parallel requests.
   */
  getMany<Groups extends Record<string, readonly Read[]>>(
    groups: Groups,
  ): Promise<{ [Name in keyof Groups]: Found<Groups[Name]> }>;
  /** One page of a partition; `next` is where the following page begins. */
  query<Schema extends RecordSchema, Id>(
    of: Entity<Schema, Id>,
    options: QueryOptions,
  ): Promise<{ records: z.output<Schema>[]; next: Record<string, unknown> | undefined }>;
  /** All items of a partition in one step, strongly consistent, by kind; those of kinds not named are left out. */
  getPartition<Kinds extends Record<string, Kind>>(
    partition: string,
    kinds: Kinds,
  ): Promise<{ [Name in keyof Kinds]: z.output<Kinds[Name]["schema"]>[] }>;
  /**
   * Deletes all items of a partition but those whose sort key begins with one of `except`. Not all at once: a failure
   * leaves some, and it may be repeated.
   */
  clear(partition: string, options?: { except?: readonly string[] }): Promise<void>;
  /** One write. Throws Refused when its condition does not hold. An update gives the record after it. */
  write(write: Write): Promise<Record<string, unknown> | undefined>;
  /**
   * Stores any number of records, none of them twice, each over whatever is there: not all at once, so that a failure
   * leaves some stored, and it may be repeated. Takes puts without conditions.
   */
  putMany(puts: readonly Write[]): Promise<void>;
  /** All or none of up to 100 writes. Throws Refused, naming every write whose condition did not hold. */
  transact(writes: readonly Write[]): Promise<void>;
}

/**
 * Opens the table. Nothing is sent until the first call.
 * Every call throws Unavailable when DynamoDB throttles, does not answer in time or cannot be reached.
 *
 * @param options.pause waits for so many ms between tries; tests hand in their own
 */
export function openTable(options: {
  name: string;
  endpoint?: string | undefined;
  pause?: Pause;
}): Table {
  const dynamoDb = openDynamoDb(options.endpoint);
  const { name: TableName, pause = wait } = options;

  const get: Table["get"] = async (of, id) => {
    const Key = marshalled(of.key(id));
    const { Item } = await dynamoDb("GetItem", { TableName, Key, ConsistentRead: true });
    return Item && recordOf(of, unmarshalled(Item));
  };

  async function fetchChunk(
    keys: Key[],
    into: Map<string, Record<string, unknown>>,
  ): Promise<void> {
    const asked = keys.map(({ pk, sk }) => marshalled({ pk, sk }));
    const read = async (Keys: Attributes[]) => {
      const { Responses, UnprocessedKeys } = await dynamoDb("BatchGetItem", {
        RequestItems: { [TableName]: { Keys, ConsistentRead: true } },
      });
      for (const found of Responses?.[TableName] ?? []) {
        into.set(`${found["pk"]?.S}\n${found["sk"]?.S}`, unmarshalled(found));
      }
      return UnprocessedKeys?.[TableName]?.Keys;
    };
    await untilAllProcessed(asked, "reads", read, pause);
  }

  const getMany: Table["getMany"] = async (groups) => {
    const keys = new Map<string, Key>();
    for (const reads of Object.values(groups)) {
      for (const { key } of reads) keys.set(`${key.pk}\n${key.sk}`, key);
    }
    const items = new Map<string, Record<string, unknown>>();
    await Promise.all(inChunks([...keys.values()], 100).map((chunk) => fetchChunk(chunk, items)));
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

  const query: Table["query"] = async (of, options) => {
    const { index, partition, limit, newestFirst, after } = options;
    const scope = expressionScope();
    const pk = `${scope.name(`${index ?? ""}pk`)} = ${scope.value(partition)}`;
    const sk = sortKeyCondition(scope, `${index ?? ""}sk`, options);
    const { Items = [], LastEvaluatedKey } = await dynamoDb("Query", {
      TableName,
      ...(index ? { IndexName: index } : { ConsistentRead: true }),
      KeyConditionExpression: pk + sk,
      ...attributesOf(scope),
      ...(limit !== undefined && { Limit: limit }),
      ...(newestFirst && { ScanIndexForward: false }),
      ...(after && { ExclusiveStartKey: marshalled(after) }),
    });
    return {
      records: Items.map((item) => recordOf(of, unmarshalled(item))),
      next: LastEvaluatedKey && unmarshalled(LastEvaluatedKey),
    };
  };

  /** Pages of a whole partition, strongly consistent. */
  async function* pagesOf(
    partition: string,
    projection: { ProjectionExpression?: string } = {},
  ): AsyncGenerator<Attributes[]> {
    let after: Attributes | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await dynamoDb("Query", {
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: "pk = :partition",
        ExpressionAttributeValues: { ":partition": { S: partition } },
        ...projection,
        ...(after && { ExclusiveStartKey: after }),
      });
      yield Items;
      after = LastEvaluatedKey;
    } while (after);
  }

  const getPartition: Table["getPartition"] = async (partition, kinds) => {
    const items: Record<string, unknown>[] = [];
    for await (const page of pagesOf(partition)) items.push(...page.map(unmarshalled));
    return Object.fromEntries(
      Object.entries(kinds).map(([group, kind]) => [
        group,
        items
          .filter((item) => item["entity"] === kind.name)
          .map((item) => recordOf(kind as Entity, item)),
      ]),
    ) as { [Name in keyof typeof kinds]: z.output<(typeof kinds)[Name]["schema"]>[] };
  };

  const clear: Table["clear"] = async (partition, { except = [] } = {}) => {
    for await (const page of pagesOf(partition, { ProjectionExpression: "pk, sk" })) {
      const keys = page.filter(
        ({ sk }) => !except.some((beginning) => sk?.S?.startsWith(beginning)),
      );
      for (const chunk of inChunks(keys, 25)) {
        await Promise.all(chunk.map((Key) => dynamoDb("DeleteItem", { TableName, Key })));
      }
    }
  };

  const write: Table["write"] = (write) =>
    untilNoConflict(async () => {
      try {
        return await send(dynamoDb, TableName, write);
      } catch (error) {
        if (!isConditionFailure(error)) throw error;
        const found = plain(itemIn(error));
        if (isOwnEarlierAttempt(error, write, found)) return undefined;
        throw new Refused([{ write, found }]);
      }
    }, pause);

  async function putChunk(puts: readonly Write[]): Promise<void> {
    const requests = puts.map((write) => ({ PutRequest: putRequest(write) }));
    const store = async (pending: WriteRequest[]) => {
      const { UnprocessedItems } = await dynamoDb("BatchWriteItem", {
        RequestItems: { [TableName]: pending },
      });
      return UnprocessedItems?.[TableName];
    };
    await untilAllProcessed<WriteRequest>(requests, "writes", store, pause);
  }

  const putMany: Table["putMany"] = async (puts) =>
    void (await Promise.all(inChunks(puts, 25).map(putChunk)));

  const transact: Table["transact"] = async (writes) => {
    const TransactItems = writes.map((write) => transactItem(TableName, write));
    await untilNoConflict(async () => {
      try {
        // Each try is a transaction of its own, with a token that says so when its answer is lost.
        const ClientRequestToken = randomUUID();
        await dynamoDb("TransactWriteItems", { TransactItems, ClientRequestToken });
      } catch (error) {
        const failures = (cancellationOf(error) ?? []).flatMap(({ Code, Item }, position) => {
          const write = writes[position];
          return write && Code === "ConditionalCheckFailed" ? [{ write, found: plain(Item) }] : [];
        });
        throw failures.length > 0 ? new Refused(failures) : error;
      }
    }, pause);
  };

  return { get, getMany, query, getPartition, clear, write, putMany, transact };
}

function sortKeyCondition(
  scope: ReturnType<typeof expressionScope>,
  attribute: string,
  { prefix, between }: Pick<QueryOptions, "prefix" | "between">,
): string {
  if (between) {
    const [low, high] = between.map(scope.value);
    return ` AND ${scope.name(attribute)} BETWEEN ${low} AND ${high}`;
  }
  if (prefix === undefined) return "";
  return ` AND begins_with(${scope.name(attribute)}, ${scope.value(prefix)})`;
}

async function send(
  dynamoDb: DynamoDb,
  TableName: string,
  write: Write,
): Promise<Record<string, unknown> | undefined> {
  const { Put, Update, Delete } = transactItem(TableName, write);
  if (Put) await dynamoDb("PutItem", Put);
  else if (Delete) await dynamoDb("DeleteItem", Delete);
  else if (Update) {
    const { Attributes } = await dynamoDb("UpdateItem", { ...Update, ReturnValues: "ALL_NEW" });
    return Attributes && recordOf(write.entity, unmarshalled(Attributes));
  } else throw new TypeError("A check stands only in a transaction");
  return undefined;
}

/** A put whose answer was lost is repeated; what the repetition then finds in its way is the put itself. */
function isOwnEarlierAttempt(
  { attempts }: { attempts: number },
  write: Write,
  found: Record<string, unknown> | undefined,
): boolean {
  return (
    write.kind === "put" && attempts > 1 && isDeepStrictEqual(found, withoutUndefined(write.item))
  );
}

/** As the table stores it. */
const withoutUndefined = (item: Item): unknown => JSON.parse(JSON.stringify(item));

const plain = (item: Attributes | undefined) => item && unmarshalled(item);

function inChunks<Element>(list: readonly Element[], size: number): Element[][] {
  const chunks: Element[][] = [];
  for (let start = 0; start < list.length; start += size)
    chunks.push(list.slice(start, start + size));
  return chunks;
}
