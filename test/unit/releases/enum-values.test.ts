import * as z from "zod";
import { describe, expect, test } from "vitest";
import { everyEntity } from "#infra/entities.ts";
import { earlierValues, earlyValuesOf, earlyWrite } from "#test/support/releases/early-values.ts";
import { enumsOf, next, readEnumValues } from "#test/support/releases/stored-enums.ts";
import { everyRoute } from "#test/support/http/every-route.ts";
import { nameOf } from "#test/support/calls/every-call.ts";

const listed = readEnumValues();
const early = earlyValuesOf(listed);

test("every value of a stored enum is listed with the release that first reads it", async () => {
  const stored = new Map((await everyEntity()).flatMap((entity) => [...enumsOf(entity)]));
  const gained: string[] = [];
  const lost: string[] = [];
  for (const [name, byRelease] of Object.entries(listed)) {
    // An older release keeps members that it does not know, so enums that no release has listed are skipped.
    const values = stored.get(name);
    if (!values) continue;
    const known = Object.values(byRelease).flat();
    gained.push(
      ...values.filter((value) => !known.includes(value)).map((each) => `${name}: ${each}`),
    );
    lost.push(
      ...known.filter((value) => !values.includes(value)).map((each) => `${name}: ${each}`),
    );
  }
  const advice = `Add these values to test/rows/enum-values.json under "${next}", and write them one release later`;
  expect(gained, advice).toEqual([]);
  expect(lost, "Stored rows may still have these values").toEqual([]);
});

test("no request accepts a value that the previous release cannot read", () => {
  const taking = everyRoute.flatMap(({ route }) => {
    const { body } = route.request;
    if (!body || early.length === 0) return [];
    const schema = JSON.stringify(z.toJSONSchema(body, { io: "input", unrepresentable: "any" }));
    const enums = [...schema.matchAll(/"enum":(\[[^\]]*\])/g)].map(([, list = "[]"]) =>
      z.array(z.unknown()).parse(JSON.parse(list)),
    );
    return early
      .filter(({ value, ...place }) =>
        enums.some(
          (values) =>
            values.includes(value) &&
            earlierValues(listed, place).some((each) => values.includes(each)),
        ),
      )
      .map(({ value }) => `${nameOf(route)} takes ${value}`);
  });
  expect(
    taking,
    "Leave these values out of the request schemas with `.exclude()` until the next release",
  ).toEqual([]);
});

describe("the search for writes of values that only the next release may write", () => {
  const values = earlyValuesOf({
    "order.status": { "1.0.0": ["confirmed"], [next]: ["paused"] },
    "order.items.[].kind": { "1.0.0": ["product"], [next]: ["service"] },
  });
  const sent = (request: object) => earlyWrite(values, Buffer.from(JSON.stringify(request)));
  const item = (status: string, kind = "product") => ({
    pk: { S: "ORDER#ord_1" },
    sk: { S: "ORDER" },
    entity: { S: "order" },
    status: { S: status },
    items: { L: [{ M: { kind: { S: kind } } }] },
  });

  test("finds such writes in a put, a batch, a transaction and an update", () => {
    const Key = { pk: { S: "ORDER#ord_1" }, sk: { S: "ORDER" } };
    const ExpressionAttributeValues = { ":status": { S: "paused" } };
    expect(sent({ Item: item("paused") })).toBe("order.status = paused");
    expect(sent({ Item: item("confirmed", "service") })).toBe("order.items.[].kind = service");
    expect(sent({ TransactItems: [{ Put: { Item: item("paused") } }] })).toBeDefined();
    expect(sent({ RequestItems: { t: [{ PutRequest: { Item: item("paused") } }] } })).toBeDefined();
    expect(sent({ Key, ExpressionAttributeValues })).toBe("order.status = paused");
  });

  test("finds no other writes and no reads", () => {
    expect(sent({ Item: item("confirmed") })).toBeUndefined();
    expect(sent({ Item: { ...item("paused"), entity: { S: "quote" } } })).toBeUndefined();
    expect(sent({ RequestItems: { t: { Keys: [] } } })).toBeUndefined();
  });
});
