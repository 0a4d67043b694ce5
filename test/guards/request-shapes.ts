import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { areaOf, areaOfPartition, entitiesAt, queriedRange } from "./table-uses.ts";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { convertToAttr, marshall } from "@aws-sdk/util-dynamodb";
import type { IndexName } from "#shared/storage/entity.ts";
import type { Input, ItemRequest } from "#test/memory-table/requests.ts";

/** What DynamoDB is asked to do with one item, or with a partition. `Batch…` is a member of a batch. */
type Kind =
  | "Get"
  | "Query"
  | "Put"
  | "Update"
  | "Delete"
  | "ConditionCheck"
  | "BatchGet"
  | "BatchPut"
  | "BatchDelete";

/**
 * A request without its values: operation, key pattern, index and expressions. `example` is one such request in
 * DynamoDB's format, without the table's name.
 */
export interface RequestShape {
  readonly entity: string;
  readonly kind: Kind;
  readonly shape: string;
  readonly example: WireRequest;
}

/** A request with its shape. */
export type SentShape = Omit<RequestShape, "example"> & { readonly request: ItemRequest };

/** The names of the shapes of a transaction's writes, sorted; several writes of one shape count once. */
interface TransactionShape {
  readonly transaction: readonly string[];
}

export type AnyShape = RequestShape | TransactionShape;

const names = new Map<string, string>();

/** A short name of a shape: entity, kind and a hash. */
function nameOf({ entity, kind, shape }: Omit<RequestShape, "example">): string {
  const whole = `${entity} ${shape}`;
  const known = names.get(whole);
  if (known !== undefined) return known;
  const hash = createHash("sha256").update(shape).digest("hex").slice(0, 8);
  const name = `${entity} ${kind} ${hash}`;
  names.set(whole, name);
  return name;
}

/** The entities that a transaction writes, with the kinds of the writes. */
export const writesOf = ({ transaction }: TransactionShape): ReadonlySet<string> =>
  new Set(transaction.map((name) => name.slice(0, name.lastIndexOf(" "))));

/**
 * What tells a shape from others. A transaction is told by its writes without their conditions, since DynamoDB checks
 * each condition by itself.
 */
export const identityOf = (of: AnyShape | SentShape): string =>
  "transaction" in of ? [...writesOf(of)].join(", ") : nameOf(of);

const alone: Readonly<Record<string, Kind>> = {
  GetItem: "Get",
  PutItem: "Put",
  UpdateItem: "Update",
  DeleteItem: "Delete",
};

/**
 * The shapes of a DynamoDB call. The members of a batch do not depend on each other, so each of them is a shape of its
 * own. A write has the same shape alone and in a transaction.
 */
export function shapesOf(operation: string, request: Input): (SentShape | TransactionShape)[] {
  if (request.TransactItems) {
    const writes = request.TransactItems.flatMap((item) =>
      Object.entries(item).map(([kind, write]) => shapeOf(kind as Kind, write)),
    );
    const transaction = [...new Set(writes.map(nameOf))].toSorted();
    return [...writes, { transaction }];
  }
  if (request.RequestItems) {
    return Object.values(request.RequestItems).flatMap((of) =>
      "Keys" in of
        ? of.Keys.map((Key) =>
            shapeOf("BatchGet", { Key, ConsistentRead: of.ConsistentRead === true }),
          )
        : of.map(({ PutRequest, DeleteRequest }) =>
            PutRequest ? shapeOf("BatchPut", PutRequest) : shapeOf("BatchDelete", DeleteRequest!),
          ),
    );
  }
  if (operation === "Query") return [queryShape(request)];
  const kind = alone[operation];
  if (!kind) throw new Error(`Describe the shape of ${operation} here.`);
  return [shapeOf(kind, request)];
}

function shapeOf(kind: Kind, request: ItemRequest): SentShape {
  const { pk, sk, entity } = request.Key ?? request.Item ?? {};
  const at = String(sk);
  const of = typeof entity === "string" ? entity : undefined;
  const key = { pk: String(pk), from: at, to: at, entity: of };
  const area = areaOf(key);
  if (!area) throw new Error(`No entity has the key ${key.pk} ${key.from}.`);
  const { UpdateExpression: changes, ConditionExpression: condition } = request;
  const shape = [
    kind,
    area.pattern.join(" "),
    request.ConsistentRead && "consistent",
    request.Item && entriesOf(request.Item),
    changes !== undefined && changedBy(changes, request),
    condition !== undefined && `if ${readable(condition, request)}`,
  ];
  return complete(area.name, kind, shape, request);
}

function queryShape(request: ItemRequest): SentShape {
  const { IndexName: index, KeyConditionExpression: condition = "" } = request;
  const range = queriedRange(request);
  const place = (index as IndexName | undefined) ?? "table";
  const partition = areaOfPartition(place, range.pk);
  // The sort keys of a partition's entities differ, so the entities in the range describe it.
  const entities = entitiesAt(place, range).toSorted();
  const shape = [
    "Query",
    place,
    partition?.pattern[0] ?? range.pk,
    readable(condition, request).replace(/^\w+ = S(?: AND )?/, ""),
    `of ${entities.join(", ")}`,
    request.ConsistentRead && "consistent",
    request.Limit !== undefined && "limit",
    request.ScanIndexForward === false && "newest first",
    request.ExclusiveStartKey && "next page",
    request.ProjectionExpression !== undefined && `only ${request.ProjectionExpression}`,
  ];
  return complete(partition?.name ?? entities[0] ?? range.pk, "Query", shape, request);
}

function complete(
  entity: string,
  kind: Kind,
  parts: readonly (string | false | undefined)[],
  request: ItemRequest,
): SentShape {
  const shape = parts.filter((part) => part !== undefined && part !== false && part !== "");
  return { entity, kind, shape: shape.join(" "), request };
}

/** Attributes that DynamoDB itself reads. All others are the same to it. */
const special = new Set(["gsi1pk", "gsi1sk", "gsi2pk", "gsi2sk", "ttl"]);

const entriesOf = (item: Readonly<Record<string, unknown>>): string => {
  const names = Object.keys(item).filter((name) => special.has(name));
  return names.length > 0 ? `with ${names.toSorted().join(", ")}` : "";
};

/** The clauses of an update with the kinds of their attributes: `SET member, ttl ADD member.member`. */
function changedBy(expression: string, request: ItemRequest): string {
  return expression
    .split(/ (?=(?:SET|ADD|REMOVE) )/)
    .map((clause) => {
      const [word = "", ...paths] = clause.split(/(?:^|,)? +(?:= )?(?::\w+)?/).filter(Boolean);
      const kinds = paths.map((path) => {
        const name = readable(path, request);
        if (special.has(name)) return name;
        return name.includes(".") ? "member.member" : "member";
      });
      return `${word} ${[...new Set(kinds)].toSorted().join(", ")}`;
    })
    .join(" ");
}

/** Names that the code contains. Others, such as ids in a map, are data. */
const fixedName = /^[a-z]+[12]?[a-z_]*$/;

/** An expression with the names of its attributes and the types of its values. */
function readable(expression: string, request: ItemRequest): string {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = request;
  return expression
    .replaceAll(/#\w+/g, (placeholder) => {
      const name = names[placeholder] ?? "";
      return fixedName.test(name) ? name : "*";
    })
    .replaceAll(/:\w+/g, (placeholder) => typeOf(values[placeholder]));
}

/** DynamoDB's name of a value's type. */
function typeOf(value: unknown): string {
  if (typeof value === "string") return "S";
  if (typeof value === "number" || typeof value === "bigint") return "N";
  return Object.keys(convertToAttr(value, marshalling))[0] ?? "?";
}

/**
 * File with the shapes that the guards of a test run observed, one JSON value a line. Several processes may share it;
 * without `REQUEST_SHAPES` it is deleted when the run ends.
 */
export const shapesOfRun = process.env["REQUEST_SHAPES"] ?? join(tmpdir(), "request-shapes.jsonl");

const seen = new Set<string>();

/** Notes the shapes of a DynamoDB call that this process has not noted before. */
export function noteShapes(operation: string, request: Input): void {
  for (const shape of shapesOf(operation, request)) {
    const identity = identityOf(shape);
    if (seen.has(identity)) continue;
    seen.add(identity);
    const line = "transaction" in shape ? shape : withExample(shape);
    mkdirSync(dirname(shapesOfRun), { recursive: true });
    appendFileSync(shapesOfRun, `${JSON.stringify(line)}\n`);
  }
}

export type Attributes = Record<string, AttributeValue>;

/** A request to DynamoDB about an item or a partition, or a member of a transaction or a batch. */
export interface WireRequest {
  TableName?: string;
  Key?: Attributes;
  Item?: Attributes;
  IndexName?: "gsi1" | "gsi2";
  ConsistentRead?: boolean;
  Limit?: number;
  ScanIndexForward?: boolean;
  ExclusiveStartKey?: Attributes;
  ProjectionExpression?: string;
  KeyConditionExpression?: string;
  UpdateExpression?: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Attributes;
  ReturnValues?: string;
  ReturnValuesOnConditionCheckFailure?: string;
}

/**
 * Texts that are different in each run, with what stands for them: the first of a request gets the number 0, and so on.
 * Their order in a request stays.
 */
const changing: readonly (readonly [RegExp, (position: number) => string])[] = [
  [
    /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
    (position) => `00000000-0000-4000-8000-${padded(position, 12)}`,
  ],
  [
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g,
    (position) => `2026-01-01T00:00:00.${padded(position, 3)}Z`,
  ],
  [/\d{4}-\d\d-\d\d(?!T)/g, (position) => `2026-${padded(1 + position, 2)}-01`],
  [/[0-9A-HJKMNP-TV-Z]{26}/g, (position) => padded(position, 26)],
  [/[0-9a-f]{32,}/g, (position) => padded(position, 32)],
  [/[\w-]{40,}/g, (position) => `token-${position}`],
  // Seconds since 1970, such as `ttl`. DynamoDB Local deletes what has expired, so they are in the year 2100.
  [/(?<="N":")1[789]\d{8}(?=")/g, (position) => String(4_102_444_800 + position)],
];

const padded = (position: number, length: number) => String(position).padStart(length, "0");

const longestText = 60;
const longestList = 2;

/** A shape as files list it. */
export const withExample = ({ request, ...shape }: SentShape): RequestShape => ({
  ...shape,
  example: exampleOf(wireRequest(request)),
});

const marshalling = { removeUndefinedValues: true };

/** A request in DynamoDB's format. */
function wireRequest(request: ItemRequest): WireRequest {
  const members = (["Key", "Item", "ExclusiveStartKey", "ExpressionAttributeValues"] as const)
    .filter((name) => request[name])
    .map((name) => [name, marshall(request[name], marshalling)]);
  // The members that are left have the same format.
  return { ...request, ...Object.fromEntries(members) } as WireRequest;
}

/** An example of a request that is short and that other runs of the tests would send as well. */
function exampleOf({ TableName: _any, ...request }: WireRequest): WireRequest {
  const stable = changing.reduce((text, [pattern, standIn]) => {
    const known = new Map<string, string>();
    return text.replaceAll(pattern, (found) => {
      const name = known.get(found) ?? standIn(known.size);
      known.set(found, name);
      return name;
    });
  }, JSON.stringify(request));
  const { Item, ...rest } = JSON.parse(stable) as WireRequest;
  return { ...rest, ...(Item && { Item: shortened(Item) }) };
}

const shortened = (members: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, shortenedValue(name, value)]),
  );

function shortenedValue(name: string, value: AttributeValue): AttributeValue {
  // A key keeps its form.
  if (value.S !== undefined && !/[ps]k$/.test(name)) return { S: value.S.slice(0, longestText) };
  if (value.L) return { L: value.L.slice(0, longestList).map((each) => shortenedValue("", each)) };
  if (value.M) return { M: shortened(value.M) };
  return value;
}
