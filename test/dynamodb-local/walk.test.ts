import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DynamoDb, startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
import type { Attributes, AnyShape } from "#test/support/permissions/request-shapes.ts";
import { shapesToAsk } from "./known-shapes.ts";
import { type Case, walkOf } from "./walk-cases.ts";

const tableName = "walk";
const shapes = shapesToAsk();
const casesOf = walkOf(shapes);

let engine: DynamoDb;
let emulator: DynamoDb;
beforeAll(async () => {
  const endpoint = process.env["DYNAMODB_ENDPOINT"];
  if (endpoint === undefined) throw new Error("Run this with `npm run test:dynamodb-local`.");
  engine = await startDynamoDb({ tableName, endpoint, dropTable: true });
  emulator = await startDynamoDb({ tableName });
});
afterAll(async () => {
  await engine?.stop();
  await emulator?.stop();
});

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

async function outcomeOf(db: DynamoDb, { rows, keys, operation, body }: Case): Promise<Outcome> {
  const write = (requests: readonly object[]) =>
    ask(db, "BatchWriteItem", { RequestItems: { [tableName]: requests } });
  if (rows.length > 0) await write(rows.map((Item) => ({ PutRequest: { Item } })));
  const answer = await ask(db, operation, body(tableName));
  const after = await ask(db, "BatchGetItem", {
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
    const [there, here] = await Promise.all([outcomeOf(engine, each), outcomeOf(emulator, each)]);
    const wrong = [problemOf(each, there), problemOf(each, here)];
    if (wrong.some((problem) => problem !== undefined))
      problems.push(`${each.title}\n  DynamoDB Local: ${wrong[0]}\n  emulator: ${wrong[1]}`);
    else if (!isDeepStrictEqual(there, here))
      problems.push(
        `${each.title}\n  DynamoDB Local: ${JSON.stringify(there)}\n  emulator: ${JSON.stringify(here)}`,
      );
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

describe("DynamoDB Local and the emulator do the same", () => {
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
