import { isDeepStrictEqual } from "node:util";
import { type Engine, outcomeOf, send } from "./engines.ts";
import {
  put,
  get,
  update,
  pagesOf,
  verdictOf,
  changesIn,
  refused,
  queryOf,
  inTransaction,
  isOne,
  one,
} from "./rule-requests.ts";

/** What DynamoDB does, and where the emulators do something else. */
export interface Rule {
  readonly title: string;
  /** Sends requests. All its partition keys begin with `mark`. */
  attempt(engine: Engine, mark: string): Promise<unknown>;
  /** What AWS does, and therefore the table in memory. */
  readonly aws: unknown;
  /** What the emulator does instead. */
  readonly emulator?: unknown;
  /** What DynamoDB Local does instead. */
  readonly local?: unknown;
}

/** What an engine must do by a rule. */
export const wantedOf = ({ aws, emulator, local }: Rule, { name }: Engine): unknown => {
  if (name === "emulator") return emulator ?? aws;
  return name === "DynamoDB Local" ? (local ?? aws) : aws;
};

export const rules: readonly Rule[] = [
  {
    title: "keys are ordered by their UTF-8 bytes, and pages go in both directions",
    async attempt(engine, pk) {
      for (const sk of ["\u{1F600}", "\u{FFFD}", "b", "a#1", "a", "é"])
        await put(engine, { pk, sk });
      return [
        await pagesOf(engine, { pk, Limit: 4 }),
        await pagesOf(engine, { pk, Limit: 4, ScanIndexForward: false }),
      ];
    },
    aws: [
      [
        ["a", "a#1", "b", "é"],
        ["\u{FFFD}", "\u{1F600}"],
      ],
      [
        ["\u{1F600}", "\u{FFFD}", "é", "b"],
        ["a#1", "a"],
      ],
    ],
  },
  {
    title: "a page ends after 1 MB, and no item is skipped or repeated",
    async attempt(engine, pk) {
      for (const sk of ["1", "2", "3", "4", "5"])
        await put(engine, { pk, sk, text: "x".repeat(350_000) });
      return (await pagesOf(engine, { pk })).flat();
    },
    aws: ["1", "2", "3", "4", "5"],
  },
  {
    title: "an item leaves a sparse index with its index key, and enters it with one",
    async attempt(engine, pk) {
      const entry = { gsi1pk: `${pk}I`, gsi1sk: "i" };
      const listed = async () => (await pagesOf(engine, { pk: `${pk}I`, index: "gsi1" })).flat();
      const seen: unknown[][] = [];
      await put(engine, { pk, sk: "s", ...entry });
      seen.push(await listed());
      await send(engine, update(pk, "REMOVE #i", {}, { "#i": "gsi1sk" }));
      seen.push(await listed());
      await send(engine, update(pk, "SET #i = :i", { ":i": "j" }, { "#i": "gsi1sk" }));
      seen.push(await listed());
      await put(engine, { pk, sk: "s" });
      seen.push(await listed());
      return seen;
    },
    aws: [["i"], [], ["j"], []],
  },
  {
    title: "a transaction applies all its writes or none, with a reason for each in order",
    async attempt(engine, mark) {
      const [first, second, third] = [`${mark}1`, `${mark}2`, `${mark}3`];
      await put(engine, { pk: second, sk: "s", n: 2 });
      const outcome = await outcomeOf(
        engine,
        inTransaction(
          { Put: { Item: { pk: first, sk: "s", n: 1 } } },
          {
            Update: {
              ...update(second, "ADD #n :one").input,
              ...isOne,
              ...one,
              ReturnValuesOnConditionCheckFailure: "ALL_OLD",
            },
          },
          { ConditionCheck: { Key: { pk: third, sk: "s" }, ...isOne, ...one } },
        ),
      );
      const kept = await Promise.all([first, second].map((pk) => get(engine, pk)));
      const { error, reasons } = outcome as { error: string; reasons: [string, { n: number }?][] };
      return {
        error,
        reasons: reasons.map(([code, item]) => [code, item?.n]),
        n: kept.map((item) => (item as { n?: number } | undefined)?.n),
      };
    },
    aws: {
      error: "TransactionCanceledException",
      reasons: [
        ["None", undefined],
        ["ConditionalCheckFailed", 2],
        ["ConditionalCheckFailed", undefined],
      ],
      n: [undefined, 2],
    },
  },
  {
    title: "a missing attribute is unequal to every value, and is not ordered",
    async attempt(engine, pk) {
      await put(engine, { pk, sk: "s", text: "x" });
      const verdicts: unknown[] = [];
      for (const condition of ["#a = :v", "#a < :v", "#a >= :v", "#a <> :v"])
        verdicts.push(
          await verdictOf(engine, "PutItem", {
            Item: { pk, sk: "s" },
            ConditionExpression: condition,
            ExpressionAttributeNames: { "#a": "a" },
            ExpressionAttributeValues: { ":v": 1 },
          }),
        );
      return verdicts;
    },
    aws: [...[1, 2, 3].map(() => "ConditionalCheckFailedException"), "accepted"],
  },
  {
    title: "comparisons hold exactly below, at and above their bound, for numbers and texts",
    async attempt(engine, pk) {
      await put(engine, { pk, sk: "s", n: 2, text: "é" });
      const held: string[] = [];
      for (const [name, bounds] of [
        ["n", [1, 2, 3, "2"]],
        ["text", ["z", "é", "\u{FFFD}", 2]],
      ] as const) {
        for (const operator of ["=", "<>", "<", ">", ">="]) {
          const verdicts = bounds.map((bound) =>
            verdictOf(engine, "UpdateItem", {
              ...update(pk, "SET #e = :e", { ":e": 1, ":v": bound }, { "#e": "e", "#a": name })
                .input,
              ConditionExpression: `#a ${operator} :v`,
            }),
          );
          const marks = (await Promise.all(verdicts)).map((each) =>
            each === "accepted" ? "+" : "-",
          );
          held.push(`${name} ${operator} ${marks.join("")}`);
        }
      }
      return held;
    },
    aws: ["n", "text"].flatMap((name) => [
      `${name} = -+--`,
      `${name} <> +-++`,
      `${name} < --+-`,
      `${name} > +---`,
      `${name} >= ++--`,
    ]),
  },
  {
    title: "numbers are added exactly, with up to 38 digits",
    async attempt(engine, pk) {
      await put(engine, { pk, sk: "s", n: 0.1 });
      await send(engine, update(pk, "ADD #n :n", { ":n": 0.2 }, { "#n": "n" }));
      const sum = ((await get(engine, pk)) as { n: number }).n;
      await put(engine, { pk, sk: "s", n: Number.MAX_SAFE_INTEGER });
      await send(engine, update(pk, "ADD #n :n", { ":n": 2 }, { "#n": "n" }));
      return [sum, String(((await get(engine, pk)) as { n: bigint }).n)];
    },
    aws: [0.3, "9007199254740993"],
  },
  {
    title: "an item is at most 400 KB, also after an update",
    async attempt(engine, pk) {
      await put(engine, { pk, sk: "s", text: "x".repeat(409_000) });
      return [
        await verdictOf(engine, "PutItem", { Item: { pk, sk: "t", text: "x".repeat(409_700) } }),
        (
          (await outcomeOf(
            engine,
            update(pk, "SET #t = :t", { ":t": "x".repeat(700) }, { "#t": "more" }),
          )) as { error: string }
        ).error,
      ];
    },
    aws: [refused, refused],
  },
  {
    title: "an empty text is no key, neither of the table nor of an index",
    attempt: async (engine, pk) => [
      await verdictOf(engine, "PutItem", { Item: { pk, sk: "" } }),
      await verdictOf(engine, "PutItem", { Item: { pk, sk: "s", gsi1pk: "", gsi1sk: "i" } }),
      await verdictOf(engine, "GetItem", { Key: { pk, sk: "" } }),
      await verdictOf(
        engine,
        "Query",
        queryOf(pk, "sk BETWEEN :a AND :b", { ":a": "", ":b": "b" }),
      ),
    ],
    aws: [refused, refused, refused, refused],
    emulator: [refused, refused, refused, "accepted"],
  },
  {
    title: "begins_with on a key refuses an empty text",
    attempt: (engine, pk) =>
      verdictOf(engine, "Query", queryOf(pk, "begins_with(sk, :a)", { ":a": "" })),
    aws: refused,
    emulator: "accepted",
  },
  {
    title: "a query refuses a start key of another partition",
    attempt: (engine, pk) =>
      verdictOf(engine, "Query", {
        KeyConditionExpression: "pk = :p",
        ExpressionAttributeValues: { ":p": pk },
        ExclusiveStartKey: { pk: `${pk}other`, sk: "s" },
      }),
    aws: refused,
    emulator: "accepted",
  },
  {
    title:
      "reversed bounds, a consistent read of an index, unused values and overlapping paths are refused",
    attempt: async (engine, pk) => [
      await verdictOf(
        engine,
        "Query",
        queryOf(pk, "sk BETWEEN :a AND :b", { ":a": "b", ":b": "a" }),
      ),
      await verdictOf(engine, "Query", {
        IndexName: "gsi1",
        ConsistentRead: true,
        KeyConditionExpression: "#p = :p",
        ExpressionAttributeNames: { "#p": "gsi1pk" },
        ExpressionAttributeValues: { ":p": pk },
      }),
      await verdictOf(
        engine,
        "Query",
        queryOf(pk, "begins_with(sk, :a)", { ":a": "a", ":b": "b" }),
      ),
      await verdictOf(
        engine,
        "UpdateItem",
        update(pk, "SET #m = :v REMOVE #m.#x", { ":v": 1 }, { "#m": "m", "#x": "x" }).input,
      ),
    ],
    aws: [refused, refused, refused, refused],
  },
  {
    title: "overlapping paths are refused even if a condition of the transaction fails",
    attempt: (engine, pk) =>
      verdictOf(engine, "TransactWriteItems", {
        TransactItems: [
          {
            Update: {
              ...update(pk, "SET #m = :v REMOVE #m.#x", { ":v": 1 }, { "#m": "m", "#x": "x" })
                .input,
              ConditionExpression: "attribute_exists(pk)",
            },
          },
        ],
      }),
    aws: refused,
    emulator: "TransactionCanceledException",
  },
  {
    title: "a nested member needs its map, and only a number can be added to",
    async attempt(engine, pk) {
      await put(engine, { pk, sk: "s", text: "x" });
      const nested = { "#m": "m", "#x": "x" };
      return [
        await verdictOf(
          engine,
          "UpdateItem",
          update(pk, "SET #m.#x = :v", { ":v": 1 }, nested).input,
        ),
        await verdictOf(
          engine,
          "UpdateItem",
          update(pk, "ADD #t :v", { ":v": 1 }, { "#t": "text" }).input,
        ),
      ];
    },
    aws: [refused, refused],
  },
  {
    title: "the removal of a nested member needs its map",
    async attempt(engine, pk) {
      await put(engine, { pk, sk: "s" });
      const names = { "#m": "m", "#x": "x" };
      return verdictOf(engine, "UpdateItem", update(pk, "REMOVE #m.#x", {}, names).input);
    },
    aws: refused,
    emulator: "accepted",
  },
  {
    title: "an update that does not fit its item cancels its transaction",
    async attempt(engine, pk) {
      await put(engine, { pk, sk: "s", text: "x" });
      const Update = update(pk, "ADD #t :v", { ":v": 1 }, { "#t": "text" }).input;
      return verdictOf(engine, "TransactWriteItems", { TransactItems: [{ Update }] });
    },
    aws: "TransactionCanceledException",
    local: refused,
  },
  {
    title: "a transaction or a batch names each item once",
    attempt: async (engine, pk) => [
      await verdictOf(engine, "TransactWriteItems", {
        TransactItems: [{ Put: { Item: { pk, sk: "s" } } }, { Delete: { Key: { pk, sk: "s" } } }],
      }),
      await verdictOf(engine, "BatchGetItem", {
        batch: { Keys: [1, 2].map(() => ({ pk, sk: "s" })) },
      }),
      await verdictOf(engine, "BatchWriteItem", {
        batch: [1, 2].map(() => ({ DeleteRequest: { Key: { pk, sk: "s" } } })),
      }),
    ],
    aws: [refused, refused, refused],
  },
  {
    title: "the stream shows the changes of an item in order, with both images",
    async attempt(engine, pk) {
      await put(engine, { pk, sk: "s", n: 1 });
      await send(engine, update(pk, "ADD #n :n", { ":n": 1 }, { "#n": "n" }));
      await send(engine, { operation: "DeleteItem", input: { Key: { pk, sk: "s" } } });
      await put(engine, { pk, sk: "s", n: 3 });
      const changes = await changesIn(engine, pk);
      return changes.map(({ kind, before, after }) => [kind, before?.["n"], after?.["n"]]);
    },
    aws: [
      ["INSERT", undefined, 1],
      ["MODIFY", 1, 2],
      ["REMOVE", 2, undefined],
      ["INSERT", undefined, 3],
    ],
  },
  {
    title: "a write that changes nothing has no record in the stream",
    async attempt(engine, pk) {
      await put(engine, { pk, sk: "s", n: 1 });
      await put(engine, { pk, sk: "s", n: 1 });
      await send(engine, { operation: "DeleteItem", input: { Key: { pk, sk: "none" } } });
      return (await changesIn(engine, pk)).map(({ kind }) => kind);
    },
    aws: ["INSERT"],
    emulator: ["INSERT", "MODIFY"],
  },
  {
    title: "an expired item is deleted from the table and its index, with a record in the stream",
    async attempt(engine, pk) {
      const index = { gsi1pk: `${pk}I`, gsi1sk: "i" };
      await put(engine, { pk, sk: "past", ttl: 1_700_000_000, ...index });
      await put(engine, { pk, sk: "later", ttl: 1_900_000_000 });
      await put(engine, { pk, sk: "text", ttl: "1700000000" });
      await put(engine, { pk, sk: "years ago", ttl: 1_000_000_000 });
      engine.expire?.(new Date(1_800_000_000_000));
      return [
        (await pagesOf(engine, { pk })).flat(),
        (await pagesOf(engine, { pk: `${pk}I`, index: "gsi1" })).flat(),
        (await changesIn(engine, pk)).filter(({ kind }) => kind === "REMOVE").length,
      ];
    },
    aws: [["later", "text", "years ago"], [], 1],
    // Neither deletes anything meanwhile.
    emulator: [["later", "past", "text", "years ago"], ["i"], 0],
    local: [["later", "past", "text", "years ago"], ["i"], 0],
  },
  {
    title: "a caller's objects are neither kept nor handed out",
    async attempt(engine, pk) {
      const Item = { pk, sk: "s", list: [{ n: 1 }] };
      await put(engine, Item);
      Item.list[0]!.n = 2;
      const read = (await get(engine, pk)) as typeof Item;
      read.list.push({ n: 3 });
      return ((await get(engine, pk)) as typeof Item).list;
    },
    aws: [{ n: 1 }],
  },
];

/** The rules that an engine breaks. */
export async function brokenRules(engine: Engine, mark: string): Promise<string[]> {
  const broken: string[] = [];
  for (const [position, rule] of rules.entries()) {
    const did = await rule.attempt(engine, `${mark}${position}#`).catch((error: unknown) => error);
    if (!isDeepStrictEqual(did, wantedOf(rule, engine))) broken.push(rule.title);
  }
  return broken;
}
