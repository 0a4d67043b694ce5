import { describe, expect, test } from "vitest";
import {
  type Condition,
  absent,
  atLeast,
  below,
  either,
  every,
  expressionScope,
  is,
  isNew,
  isNot,
  present,
} from "#shared/storage/conditions.ts";

function written(condition: Condition) {
  const scope = expressionScope();
  return { expression: scope.condition(condition), ...scope.attributes() };
}

describe("a DynamoDB expression", () => {
  test.each([
    [is("version", 3), "#version = :v0"],
    [isNot("status", "draft"), "#status <> :v0"],
    [atLeast("available", 2), "#available >= :v0"],
    [below("expires_at", "2026"), "#expires_at < :v0"],
    [present("pk"), "attribute_exists(#pk)"],
    [absent("owner.slug"), "attribute_not_exists(#owner.#slug)"],
    [isNew, "attribute_not_exists(#pk)"],
  ])("is built with placeholders: %j becomes %s", (condition, expression) => {
    expect(written(condition).expression).toBe(expression);
  });

  test("with many members contains each name once, so that it stays within 4 KB", () => {
    const scope = expressionScope();
    const names = Array.from({ length: 200 }, (_, at) => `viewed_prd_01KE66PJA0M594E921BVM9D${at}`);
    const add = Object.fromEntries([...names, "n0"].map((name) => [name, 1]));
    expect(scope.update({ add }).length).toBeLessThan(4_096);
    const known = Object.values(scope.attributes().ExpressionAttributeNames ?? {});
    expect(known.toSorted()).toEqual([...names, "n0"].toSorted());
    expect(scope.name(names[7]!)).toBe("#n7");
  });

  test("has brackets around nested conditions, which keep their and/or structure", () => {
    const condition = either(
      is("policy", "backorder"),
      every(atLeast("available", 1), is("version", 1)),
    );
    expect(written(condition)).toEqual({
      expression: "#policy = :v0 OR (#available >= :v1 AND #version = :v2)",
      ExpressionAttributeNames: {
        "#policy": "policy",
        "#available": "available",
        "#version": "version",
      },
      ExpressionAttributeValues: { ":v0": "backorder", ":v1": 1, ":v2": 1 },
    });
  });

  test("has no brackets around a single condition, because DynamoDB refuses them as redundant", () => {
    const one = either(is("policy", "backorder"), every(either(atLeast("available", 1))));
    expect(written(one).expression).toBe("#policy = :v0 OR #available >= :v1");
  });

  test("without values has no values attribute, because DynamoDB refuses an empty one", () => {
    expect(written(isNew)).not.toHaveProperty("ExpressionAttributeValues");
  });
});

describe("an update expression", () => {
  test("has each clause once, and shares names and values with its condition", () => {
    const scope = expressionScope();
    const update = scope.update({
      set: { name: "Oslo", version: 2 },
      add: { uses: 1 },
      remove: ["note", "coupon"],
    });
    const condition = scope.condition(is("version", 1));
    expect(update).toBe("SET #name = :v0, #version = :v1 ADD #uses :v2 REMOVE #note, #coupon");
    expect(condition).toBe("#version = :v3");
    expect(scope.attributes().ExpressionAttributeValues).toEqual({
      ":v0": "Oslo",
      ":v1": 2,
      ":v2": 1,
      ":v3": 1,
    });
  });

  test("omits clauses without changes", () => {
    expect(expressionScope().update({ add: { uses: -1 } })).toBe("ADD #uses :v0");
  });
});
