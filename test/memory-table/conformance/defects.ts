import {
  DeleteCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from "@aws-sdk/lib-dynamodb";
import type { TableClient } from "#shared/storage/table.ts";
import type { Engine } from "./engines.ts";

interface Page {
  Items: Record<string, unknown>[];
  LastEvaluatedKey?: object;
}

type Send = (command: object) => Promise<unknown>;

/** An engine whose calls are changed on their way. */
const through = (
  engine: Engine,
  change: (command: object, send: Send) => Promise<unknown>,
): Engine => {
  const send: Send = (command) => engine.client.send(command as never);
  return {
    ...engine,
    client: { send: ((command: object) => change(command, send)) as TableClient["send"] },
  };
};

/** An engine whose pages are changed. */
const withPages = (engine: Engine, change: (page: Page, command: QueryCommand) => Page): Engine =>
  through(engine, async (command, send) =>
    command instanceof QueryCommand
      ? change((await send(command)) as Page, command)
      : send(command),
  );

const keyOf = ({ pk, sk }: Record<string, unknown>) => JSON.stringify([pk, sk]);

/** Mistakes that a table could make. The conformance tests must find each of them. */
export const defects: Readonly<Record<string, (engine: Engine) => Engine>> = {
  "a condition that is wrong at its bound": (engine) =>
    through(engine, (command, send) => {
      const { input } = command as { input: { ConditionExpression?: string } };
      if (input.ConditionExpression !== undefined)
        input.ConditionExpression = input.ConditionExpression.replaceAll(">=", ">");
      return send(command);
    }),

  "a transaction that keeps its first write when it is cancelled": (engine) =>
    through(engine, async (command, send) => {
      try {
        return await send(command);
      } catch (error) {
        const [first] =
          command instanceof TransactWriteCommand ? (command.input.TransactItems ?? []) : [];
        if (first?.Put)
          await send(new PutCommand({ TableName: engine.tableName, Item: first.Put.Item }));
        if (first?.Delete)
          await send(new DeleteCommand({ TableName: engine.tableName, Key: first.Delete.Key }));
        throw error;
      }
    }),

  "a sparse index that keeps an item without its key": (engine) => {
    const known = new Map<string, Map<string, Record<string, unknown>>>();
    return withPages(engine, (page, { input }) => {
      if (input.IndexName === undefined || input.Limit !== undefined) return page;
      const partition = String(Object.values(input.ExpressionAttributeValues ?? {})[0]);
      const kept = known.get(partition) ?? new Map();
      known.set(partition, kept);
      for (const item of page.Items) kept.set(keyOf(item), item);
      return { ...page, Items: [...kept.values()] };
    });
  },

  "a stream in the wrong order": (engine) => ({
    ...engine,
    changes: async () => (await engine.changes()).toReversed(),
  }),

  "a page that skips an item": (engine) =>
    withPages(engine, (page) =>
      page.LastEvaluatedKey ? { ...page, Items: page.Items.slice(0, -1) } : page,
    ),

  "an expired item that is still shown": (engine) => ({ ...engine, expire: () => undefined }),

  "keys in the order of UTF-16": (engine) =>
    withPages(engine, (page, { input }) => {
      const sk = `${input.IndexName ?? ""}sk`;
      const order = input.ScanIndexForward === false ? -1 : 1;
      const sorted = page.Items.toSorted((one, other) =>
        String(one[sk]) < String(other[sk]) ? -order : order,
      );
      return { ...page, Items: sorted };
    }),
};
