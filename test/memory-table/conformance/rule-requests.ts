import type { Operation } from "../requests.ts";
import { type Change, type Engine, outcomeOf, send } from "./engines.ts";

export const put = (engine: Engine, Item: object) =>
  send(engine, { operation: "PutItem", input: { Item } });

export const get = async (engine: Engine, pk: string, sk = "s") =>
  (
    await send(engine, {
      operation: "GetItem",
      input: { Key: { pk, sk }, ConsistentRead: true },
    })
  )["Item"];

export const update = (
  pk: string,
  UpdateExpression: string,
  values: object = {},
  names: object = {},
) =>
  ({
    operation: "UpdateItem",
    input: {
      Key: { pk, sk: "s" },
      UpdateExpression,
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    },
  }) as const;

/** All pages of a query: the sort keys on each. */
export async function pagesOf(
  engine: Engine,
  { pk, index = "", ...input }: { pk: string; index?: "" | "gsi1" } & Record<string, unknown>,
): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  let after: unknown;
  do {
    const { Items, LastEvaluatedKey } = await send(engine, {
      operation: "Query",
      input: {
        ...(index === "" ? { ConsistentRead: true } : { IndexName: index }),
        KeyConditionExpression: "#p = :p",
        ExpressionAttributeNames: { "#p": `${index}pk` },
        ExpressionAttributeValues: { ":p": pk },
        ...input,
        ...(after !== undefined && { ExclusiveStartKey: after }),
      },
    });
    const items = Items as Record<string, unknown>[];
    if (items.length > 0) pages.push(items.map((item) => item[`${index}sk`]));
    after = LastEvaluatedKey;
  } while (after !== undefined);
  return pages;
}

/** The name of the error, or "accepted". */
export async function verdictOf(
  engine: Engine,
  operation: Operation,
  input: object,
): Promise<unknown> {
  const outcome = await outcomeOf(engine, { operation, input: input as never });
  return "error" in outcome ? outcome.error : "accepted";
}

export const changesIn = async (engine: Engine, pk: string): Promise<Change[]> =>
  (await engine.changes()).filter(({ before, after }) => (after ?? before)?.["pk"] === pk);

export const refused = "ValidationException";
export const queryOf = (pk: string, sk: string, values: object) => ({
  KeyConditionExpression: `pk = :p AND ${sk}`,
  ExpressionAttributeValues: { ":p": pk, ...values },
});

export const inTransaction = (...writes: object[]) =>
  ({ operation: "TransactWriteItems", input: { TransactItems: writes } }) as const;

export const isOne = { ConditionExpression: "#n = :one", ExpressionAttributeNames: { "#n": "n" } };
export const one = { ExpressionAttributeValues: { ":one": 1 } };
