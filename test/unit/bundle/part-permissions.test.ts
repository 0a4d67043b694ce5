import { describe, expect, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { authorizer, families } from "#functions/families.ts";
import { partsWithoutPermission } from "#functions/part-permissions.ts";
import { bundle } from "#infra/bundle/bundle.ts";

const functions = [authorizer, ...families, ...consumers];

describe("the parts of a function", () => {
  test.each(functions.map((each) => [each.name, each] as const))(
    "%s has the permissions of all its parts",
    (_name, deployed) => {
      expect(partsWithoutPermission(deployed)).toEqual([]);
    },
  );

  test("without any permission are those that call something", () => {
    const uses = new Set(
      functions.flatMap(({ parts }) => partsWithoutPermission({ parts, permissions: {} })),
    );
    const calling = [
      "table",
      "customerKeys",
      "mailer",
      "documentFiles",
      "outboxQueue",
      "indexReader",
    ];
    expect([...uses]).toEqual(expect.arrayContaining(calling));
    expect([...uses].filter((part) => ["log", "rates", "now", "memory"].includes(part))).toEqual(
      [],
    );
  });

  test("fail the bundle of a function whose permissions lack one of them", async () => {
    const feeds = consumers.find(({ name }) => name === "on-schedule-feeds")!;
    const lacking = { ...feeds, permissions: { ...feeds.permissions, buckets: {} } };
    await expect(bundle([lacking], "never-written")).rejects.toThrow(
      "on-schedule-feeds has the part publicFiles",
    );
  });
});
