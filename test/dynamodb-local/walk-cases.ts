import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type {
  Attributes,
  WireRequest,
  AnyShape,
  RequestShape,
} from "#test/guards/request-shapes.ts";
import { type Row, pathOf, rowsFor, withValue } from "./condition-rows.ts";
import { shapeNamed } from "./known-shapes.ts";

/** A request to send, with the rows that the table holds before it. */
export interface Case {
  readonly title: string;
  readonly rows: readonly Attributes[];
  /** The primary keys of all items that the request may touch. */
  readonly keys: readonly Attributes[];
  readonly operation: string;
  /** The body of the request to a table of this name. */
  body(TableName: string): object;
  /** For each write whether its condition fails, or how many items a read returns. */
  readonly expected: { readonly refused: readonly boolean[] } | { readonly items: number };
}

/** Builds the cases of known shapes. */
export function walkOf(shapes: ReadonlyMap<string, AnyShape>) {
  const items = new Map<string, Attributes>();
  for (const shape of shapes.values()) {
    if (!("transaction" in shape) && shape.example.Item)
      items.set(shape.entity, shape.example.Item);
  }

  /** A row that the request finds, regardless of its condition: an item that the tests have put, with its key. */
  function baseOf({ entity, example }: RequestShape): Attributes {
    const base: Attributes = {
      ...items.get(entity),
      entity: { S: entity },
      ...example.Item,
      ...example.Key,
    };
    return changesOf(example).reduce(ready, base);
  }

  function casesOfWrite(shape: RequestShape): Case[] {
    const { kind, example } = shape;
    const key = keyOf(example);
    const { holds, fails } = rowsFor(example, baseOf(shape));
    // A nested member can only be changed in an existing row.
    const isNested = changesOf(example).some(({ path }) => path.length > 1);
    const written = isNested ? holds.filter((row) => row !== undefined) : holds;
    const send = sendingOf(kind, example);
    return [
      ...written.map((row) => ({ row, refused: false })),
      ...fails.map((row) => ({ row, refused: true })),
    ].map(({ row, refused }, position) => ({
      title: `${shape.shape}: ${refused ? "refused" : "stored"} (${position})`,
      rows: row ? [row] : [],
      keys: [key],
      ...send,
      expected: { refused: [refused] },
    }));
  }

  function casesOfRead(shape: RequestShape): Case[] {
    const key = keyOf(shape.example);
    const send = sendingOf(shape.kind, shape.example);
    return [
      { rows: [baseOf(shape)], items: 1 },
      { rows: [], items: 0 },
    ].map(({ rows, items: count }) => ({
      title: `${shape.shape}: ${count} items`,
      rows,
      keys: [key],
      ...send,
      expected: { items: count },
    }));
  }

  function casesOfQuery(shape: RequestShape): Case[] {
    const { example } = shape;
    const found = ["1", "2", "3"].map((each) => ({
      ...items.get(shape.entity),
      ...keysFor(example, each),
    }));
    // The second page begins after the first row.
    const sent = example.ExclusiveStartKey
      ? { ...example, ExclusiveStartKey: startAfter(example, found) }
      : example;
    const rest = example.ExclusiveStartKey ? found.length - 1 : found.length;
    return [found, []].map((rows) => ({
      title: `${shape.shape}: ${rows.length} rows`,
      rows,
      keys: found.map((Item) => keyOf({ Item })),
      ...sendingOf("Query", sent),
      expected: { items: rows.length === 0 ? 0 : Math.min(rest, example.Limit ?? rest) },
    }));
  }

  function casesOfTransaction(members: readonly RequestShape[]): Case[] {
    const own = withOwnKeys(members);
    const choices = own.map((member) => rowsFor(member.example, baseOf(member)));
    const writes = own.map(({ kind, example }) => ({ [kind]: example }));
    const title = `a transaction of ${members.map(({ shape }) => shape).join("; ")}`;
    const common = {
      keys: own.map(({ example }) => keyOf(example)),
      operation: "TransactWriteItems",
      body: (TableName: string) => ({
        TransactItems: writes.map((write) =>
          Object.fromEntries(
            Object.entries(write).map(([kind, each]) => [kind, inTransaction(each, TableName)]),
          ),
        ),
      }),
    };
    const stored = {
      ...common,
      title: `${title}: stored`,
      rows: present(choices.map(({ holds }) => holds[0])),
      expected: { refused: own.map(() => false) },
    };
    if (choices.every(({ fails }) => fails.length === 0)) return [stored];
    const refused = {
      ...common,
      title: `${title}: refused`,
      rows: present(choices.map(({ holds, fails }) => (fails.length > 0 ? fails[0] : holds[0]))),
      expected: { refused: choices.map(({ fails }) => fails.length > 0) },
    };
    return [stored, refused];
  }

  return (shape: AnyShape): Case[] => {
    if ("transaction" in shape)
      return casesOfTransaction(shape.transaction.map((name) => shapeNamed(name, shapes)));
    if (shape.kind === "Query") return casesOfQuery(shape);
    if (shape.kind === "Get" || shape.kind === "BatchGet") return casesOfRead(shape);
    return casesOfWrite(shape);
  };
}

const present = (rows: readonly Row[]): Attributes[] => rows.filter((row) => row !== undefined);

function keyOf({ Key, Item }: WireRequest): Attributes {
  const { pk, sk } = Key ?? Item ?? {};
  if (!pk || !sk) throw new Error("A request has no key.");
  return { pk, sk };
}

function sendingOf(
  kind: RequestShape["kind"],
  request: WireRequest,
): Pick<Case, "operation" | "body"> {
  const { ConsistentRead, ...member } = request;
  switch (kind) {
    case "BatchGet":
      return {
        operation: "BatchGetItem",
        body: (table) => ({ RequestItems: { [table]: { Keys: [member.Key], ConsistentRead } } }),
      };
    case "BatchPut":
    case "BatchDelete":
      return {
        operation: "BatchWriteItem",
        body: (table) => ({
          RequestItems: {
            [table]: [kind === "BatchPut" ? { PutRequest: member } : { DeleteRequest: member }],
          },
        }),
      };
    case "ConditionCheck":
      return {
        operation: "TransactWriteItems",
        body: (table) => ({ TransactItems: [{ ConditionCheck: inTransaction(member, table) }] }),
      };
    case "Query":
      return { operation: "Query", body: (TableName) => ({ TableName, ...request }) };
    default:
      return { operation: `${kind}Item`, body: (TableName) => ({ TableName, ...request }) };
  }
}

/** A write in a transaction returns no values. */
const inTransaction = ({ ReturnValues: _none, ...request }: WireRequest, TableName: string) => ({
  TableName,
  ...request,
});

interface Change {
  readonly clause: string;
  /** The attribute names from the outermost. */
  readonly path: readonly string[];
}

/** What an update changes. */
const changesOf = (request: WireRequest): Change[] =>
  (request.UpdateExpression?.split(/ (?=(?:SET|ADD|REMOVE) )/) ?? []).flatMap((clause) =>
    (clause.match(/#[\w.#]+/g) ?? []).map((path) => ({
      clause: clause.split(" ", 1)[0]!,
      path: pathOf(path, request),
    })),
  );

/** The row, with the map or the number that a change needs. */
function ready(row: Attributes, { clause, path }: Change): Attributes {
  const [name = ""] = path;
  if (path.length > 1) return row[name]?.M ? row : withValue(row, path, { S: "before" });
  return clause === "ADD" && row[name]?.N === undefined ? { ...row, [name]: { N: "1" } } : row;
}

/** Members of a transaction with different keys, since examples have the same ids. */
function withOwnKeys(members: readonly RequestShape[]): RequestShape[] {
  const taken = new Set<string>();
  return members.map((member) => {
    const { pk, sk } = keyOf(member.example);
    let own = sk;
    while (taken.has(`${pk?.S}\n${own?.S}`)) own = { S: `${own?.S}~` };
    taken.add(`${pk?.S}\n${own?.S}`);
    const { Item, Key } = member.example;
    const changed: WireRequest = Item
      ? { Item: { ...Item, sk: own! } }
      : { Key: { ...Key, sk: own! } };
    return { ...member, example: { ...member.example, ...changed } };
  });
}

/** The keys of a row that a query finds. */
function keysFor(request: WireRequest, each: string): Attributes {
  const { KeyConditionExpression = "", ExpressionAttributeValues: values = {} } = request;
  const [partition, low, high] = [...KeyConditionExpression.matchAll(/:\w+/g)].map(
    ([placeholder]) => values[placeholder]?.S ?? "",
  );
  const sorted = { S: sortKeyBetween(low, high, each) } satisfies AttributeValue;
  const { IndexName: index } = request;
  if (!index) return { pk: { S: partition! }, sk: sorted };
  const key = { pk: { S: `ROW#${each}` }, sk: { S: "ROW" } };
  return { ...key, [`${index}pk`]: { S: partition! }, [`${index}sk`]: sorted };
}

/** A sort key in the range of a query: its lower bound or its prefix, followed by a digit. */
function sortKeyBetween(low = "", high: string | undefined, each: string): string {
  if (high === undefined || `${low}${each}` <= high) return `${low}${each}`;
  return low;
}

function startAfter(request: WireRequest, rows: readonly Attributes[]): Attributes {
  const first = request.ScanIndexForward === false ? rows.at(-1) : rows[0];
  const names = Object.keys(request.ExclusiveStartKey ?? {});
  return Object.fromEntries(names.map((name) => [name, first![name]!]));
}
