// @module-tag slow
// @module-tag emulator
import { marshall } from "@aws-sdk/util-dynamodb";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DynamoDb, startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
import type { Attributes, AnyShape } from "#test/guards/request-shapes.ts";
import { commandOf } from "#test/memory-table/conformance/engines.ts";
import { openMemoryTable } from "#test/memory-table/memory-table.ts";
import type { Operation } from "#test/memory-table/requests.ts";
import { plainRequest } from "#test/guards/plain-request.ts";
import { shapesToAsk } from "../../dynamodb-local/known-shapes.ts";
import { type Case, walkOf } from "../../dynamodb-local/walk-cases.ts";

const shapes = shapesToAsk();
const casesOf = walkOf(shapes);

/** What answers requests in DynamoDB's format. */
interface Asked {
  readonly name: string;
  readonly tableName: string;
  ask(operation: string, body: object): Promise<Answer>;
}

const stops: (() => Promise<void>)[] = [];
let asked: Asked[];
beforeAll(async () => {
  const endpoint = process.env["DYNAMODB_ENDPOINT"];
  asked = [
    inMemory(),
    await overHttp("the emulator"),
    ...(endpoint === undefined ? [] : [await overHttp("DynamoDB Local", endpoint)]),
  ];
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

async function overHttp(name: string, endpoint?: string): Promise<Asked> {
  const tableName = "recorded-requests";
  const dynamoDb = await startDynamoDb({ tableName, endpoint, dropTable: true });
  stops.push(() => dynamoDb.stop());
  return { name, tableName, ask: (operation, body) => ask(dynamoDb, operation, body) };
}

function inMemory(): Asked {
  const { name: tableName, client } = openMemoryTable();
  return {
    name: "memory",
    tableName,
    async ask(operation, body) {
      const input = plainRequest(Buffer.from(JSON.stringify(body)));
      // The walk sends the operations that the table knows.
      const command = commandOf(operation as Operation, input);
      return client.send(command).then(marshalledAnswer, refusalOf);
    },
  };
}

/** An exception of the SDK as DynamoDB sends it. */
const refusalOf = ({ name, message, Item, CancellationReasons }: Error & Answer): Answer => ({
  __type: `#${name}`,
  message,
  ...(Item && { Item }),
  ...(CancellationReasons && { CancellationReasons }),
});

/** An output of the DocumentClient in DynamoDB's format. */
function marshalledAnswer(output: object): Answer {
  const { Item, Items, Attributes, Responses, LastEvaluatedKey } = output as {
    Item?: object;
    Items?: object[];
    Attributes?: object;
    Responses?: Record<string, object[]>;
    LastEvaluatedKey?: object;
  };
  return {
    ...(Item && { Item: marshall(Item) }),
    ...(Items && { Items: Items.map((item) => marshall(item)) }),
    ...(Attributes && { Attributes: marshall(Attributes) }),
    ...(LastEvaluatedKey && { LastEvaluatedKey: marshall(LastEvaluatedKey) }),
    ...(Responses && {
      Responses: Object.fromEntries(
        Object.entries(Responses).map(([table, items]) => [
          table,
          items.map((item) => marshall(item)),
        ]),
      ),
    }),
  };
}

interface Answer {
  readonly __type?: string;
  readonly CancellationReasons?: readonly { Code?: string; Item?: Attributes }[];
  readonly Item?: Attributes;
  readonly Items?: readonly Attributes[];
  readonly Attributes?: Attributes;
  readonly Responses?: Readonly<Record<string, readonly Attributes[]>>;
  readonly LastEvaluatedKey?: Attributes;
  readonly message?: string;
  readonly Message?: string;
}

/** The engines check no signature, but require one. */
const authorization =
  "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0";

async function ask({ endpoint }: DynamoDb, operation: string, body: object): Promise<Answer> {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "x-amz-date": "20260101T000000Z",
      authorization,
    },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Answer;
}

/** What a caller learns of a request, and the rows after it. */
interface Outcome {
  readonly error: string | undefined;
  /** For each write of a transaction, or for the single write, why it was refused. */
  readonly reasons: readonly string[];
  readonly items: readonly Attributes[];
  readonly next: Attributes | undefined;
  readonly rows: readonly Attributes[];
}

async function outcomeOf(
  { tableName, ask }: Asked,
  { rows, keys, operation, body }: Case,
): Promise<Outcome> {
  const write = (requests: readonly object[]) =>
    ask("BatchWriteItem", { RequestItems: { [tableName]: requests } });
  if (rows.length > 0) await write(rows.map((Item) => ({ PutRequest: { Item } })));
  const answer = await ask(operation, body(tableName));
  const after = await ask("BatchGetItem", {
    RequestItems: { [tableName]: { Keys: keys, ConsistentRead: true } },
  });
  await write(keys.map((Key) => ({ DeleteRequest: { Key } })));
  const refused = answer.CancellationReasons ?? [];
  const error = answer.__type?.split("#")[1];
  return {
    error:
      error === "ValidationException" ? `${error}: ${answer.message ?? answer.Message}` : error,
    reasons: refused.map(({ Code = "None" }) => Code),
    items: [
      ...present([answer.Item, answer.Attributes]),
      ...(answer.Items ?? []),
      ...(answer.Responses?.[tableName] ?? []),
      ...present(refused.map(({ Item }) => Item)),
    ],
    next: answer.LastEvaluatedKey,
    rows: (after.Responses?.[tableName] ?? []).toSorted((one, other) =>
      printedKey(one) < printedKey(other) ? -1 : 1,
    ),
  };
}

const present = (items: readonly (Attributes | undefined)[]): Attributes[] =>
  items.filter((item) => item !== undefined);

const printedKey = ({ pk, sk }: Attributes) => `${pk?.S}\n${sk?.S}`;

/** What is wrong with the outcome of a case; undefined if it is as expected. */
function problemOf({ expected, operation }: Case, outcome: Outcome): string | undefined {
  const { error, reasons, items } = outcome;
  if ("items" in expected) {
    if (error !== undefined) return error;
    return items.length === expected.items ? undefined : `${items.length} items`;
  }
  if (!expected.refused.includes(true)) return error;
  if (operation !== "TransactWriteItems")
    return error === "ConditionalCheckFailedException" ? undefined : (error ?? "stored");
  const codes = expected.refused.map((isRefused) =>
    isRefused ? "ConditionalCheckFailed" : "None",
  );
  return isDeepStrictEqual(reasons, codes)
    ? undefined
    : `${error ?? "stored"} ${reasons.join(", ")}`;
}

async function problemsOf(shape: AnyShape): Promise<string[]> {
  const problems: string[] = [];
  for (const each of casesOf(shape)) {
    const outcomes = await Promise.all(asked.map((one) => outcomeOf(one, each)));
    const said = asked.map(({ name }, position) => {
      const outcome = outcomes[position]!;
      return `  ${name}: ${problemOf(each, outcome) ?? JSON.stringify(outcome)}`;
    });
    const isWrong = outcomes.some((outcome) => problemOf(each, outcome) !== undefined);
    if (isWrong || outcomes.some((outcome) => !isDeepStrictEqual(outcome, outcomes[0])))
      problems.push([each.title, ...said].join("\n"));
  }
  return problems;
}

const groupOf = (shape: AnyShape): string =>
  "transaction" in shape ? shape.transaction[0]!.split(" ")[0]! : shape.entity;

const [transactions, requests] = [true, false].map((areTransactions) =>
  Map.groupBy(
    [...shapes.values()].filter((shape) => "transaction" in shape === areTransactions),
    groupOf,
  ),
) as [Map<string, AnyShape[]>, Map<string, AnyShape[]>];

describe("the table in memory, the emulator and DynamoDB Local do the same", () => {
  test.each([...requests])("with every request about %s", async (_entity, group) => {
    const problems: string[] = [];
    for (const shape of group) problems.push(...(await problemsOf(shape)));
    expect(problems).toEqual([]);
  });

  test.each([...transactions])(
    "with every transaction that begins with %s",
    async (_entity, group) => {
      const problems: string[] = [];
      for (const shape of group) problems.push(...(await problemsOf(shape)));
      expect(problems).toEqual([]);
    },
  );
});
