import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { marshalled, unmarshalled } from "#shared/storage/attribute-values.ts";

const { item } = fc.letrec<{ value: unknown; item: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string(),
    fc.maxSafeInteger(),
    fc.double({ noDefaultInfinity: true, noNaN: true, max: 1e15, min: -1e15 }),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.array(tie("value")),
    tie("item"),
  ),
  item: fc.dictionary(fc.string(), tie("value")),
}));

describe("items in DynamoDB's own form", () => {
  test("are written and read as the SDK does", () => {
    fc.assert(
      fc.property(item, (record) => {
        const theirs = marshall(record, { removeUndefinedValues: true });
        expect(marshalled(record)).toEqual(theirs);
        expect(unmarshalled(theirs)).toEqual(unmarshall(theirs));
      }),
    );
  });

  test.each([new Date(0), new Map(), 1n, NaN, Infinity, 2 ** 53, () => undefined, Symbol("chair")])(
    "hold nothing that would come back as something else: %s",
    (value) => {
      expect(() => marshalled({ list: [{ value }] })).toThrow(TypeError);
    },
  );

  test.each([{ B: new Uint8Array(1) }, { SS: ["chair"] }, {}])(
    "are not guessed at where they hold what is never stored: %j",
    (attribute) => {
      expect(() => unmarshalled({ attribute } as never)).toThrow(TypeError);
    },
  );
});
