import * as z from "zod";
import { describe, expect, test } from "vitest";
import { families } from "#functions/families.ts";
import { everyEntity } from "#infra/entities.ts";
import { plainRequest } from "#test/guards/plain-request.ts";
import {
  earlyValuesOf,
  earlyWrite,
  enumsOf,
  next,
  nullabilityOf,
  readEnumValues,
  readNeverNull,
} from "#test/support/releases/earlier.ts";
import { takenEarly } from "#test/support/releases/taken-values.ts";

const listed = readEnumValues();
const entities = await everyEntity();
const nullable = new Set(entities.flatMap((entity) => nullabilityOf(entity).nullable));
const adviceFor = (what: string): string =>
  `Add ${what} to test/rows/enum-values.json under "${next}", and write it one release later`;

test("every value of a stored enum is listed with the release that first reads it", () => {
  const stored = new Map(entities.flatMap((entity) => [...enumsOf(entity)]));
  const gained: string[] = [];
  const lost: string[] = [];
  for (const [name, byRelease] of Object.entries(listed)) {
    const known = Object.values(byRelease).flat();
    if (known.includes(null) && !nullable.has(name)) lost.push(`${name}: null`);
    // An older release keeps members that it does not know, so enums that no release has listed are skipped.
    const values = stored.get(name);
    if (!values) continue;
    const texts = known.filter((value) => value !== null);
    gained.push(
      ...values.filter((value) => !texts.includes(value)).map((each) => `${name}: ${each}`),
    );
    lost.push(
      ...texts.filter((value) => !values.includes(value)).map((each) => `${name}: ${each}`),
    );
  }
  expect(gained, adviceFor("each value")).toEqual([]);
  expect(lost, "Stored rows may still have these values").toEqual([]);
});

test("every member that was never null and has become nullable is listed with the release that first reads null", () => {
  const gained = readNeverNull().filter(
    (name) =>
      nullable.has(name) && !Object.values(listed[name] ?? {}).some((of) => of.includes(null)),
  );
  expect(gained, adviceFor("null for each member")).toEqual([]);
});

test("no request accepts a value that the previous release cannot read", () => {
  const routes = families.flatMap(({ routes, permissions }) =>
    routes.map((route) => ({ route, writes: permissions.writes ?? [] })),
  );
  expect(
    takenEarly(routes, listed),
    "Leave these values out of the request schemas with `.exclude()` until the next release",
  ).toEqual([]);
});

describe("the search for requests that accept what only the next release may write", () => {
  const routeOf = (body: z.ZodType) => ({
    route: { method: "POST", path: "/orders", request: { body } } as const,
    writes: ["order"],
  });
  const before = { "1.0.0": ["product"], [next]: ["service"] };
  const taken = (body: z.ZodType, of = before) =>
    takenEarly([routeOf(body)], { "order.items.[].kind": of });

  test("finds a value of an enum, and a kind of a discriminated union", () => {
    const kinds = z.object({ items: z.array(z.object({ kind: z.enum(["product", "service"]) })) });
    expect(taken(kinds)).toEqual(["POST /orders takes service"]);
    const product = z.strictObject({ kind: z.literal("product"), sku: z.string() });
    const service = z.strictObject({ kind: z.literal("service"), hours: z.number() });
    const items = z.discriminatedUnion("kind", [product, service]);
    expect(taken(z.object({ items: z.array(items).optional() }))).toHaveLength(1);
    expect(taken(z.preprocess((value) => value, z.object({ item: items })))).toHaveLength(1);
    expect(taken(z.object({ items: z.array(product) }))).toEqual([]);
  });

  test("finds a member that has become nullable, in a function that writes the entity", () => {
    const early = { "order.note": { [next]: [null] } };
    const body = (note: z.ZodType) => routeOf(z.object({ note }));
    expect(takenEarly([body(z.string().nullable())], early)).toEqual(["POST /orders takes null"]);
    expect(takenEarly([body(z.string().optional())], early)).toEqual([]);
    const elsewhere = { ...body(z.string().nullable()), writes: ["lead"] };
    expect(takenEarly([elsewhere], early)).toEqual([]);
  });
});

test("a member counts as nullable wherever null is one of its alternatives", () => {
  const schema = z.object({
    plain: z.string(),
    wrapped: z.string().nullable().default(null),
    option: z.union([z.string(), z.null()]),
    kinds: z.array(
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("a"), of: z.string() }),
        z.object({ kind: z.literal("b"), of: z.string().nullable() }),
      ]),
    ),
  });
  const { nullable: can, neverNull } = nullabilityOf({ name: "any", schema });
  expect(can).toEqual(["any.kinds.[].of", "any.option", "any.wrapped"]);
  expect(neverNull).toEqual(["any", "any.kinds", "any.kinds.[]", "any.kinds.[].kind", "any.plain"]);
});

describe("the search for writes of values that only the next release may write", () => {
  const values = earlyValuesOf({
    "order.status": { "1.0.0": ["confirmed"], [next]: ["paused"] },
    "order.items.[].kind": { "1.0.0": ["product"], [next]: ["service"] },
    "order.contact.note": { [next]: [null] },
  });
  const sent = (request: object) =>
    earlyWrite(values, plainRequest(Buffer.from(JSON.stringify(request))));
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

  test("finds null where a member has become nullable, and nowhere else", () => {
    const Key = { pk: { S: "ORDER#ord_1" }, sk: { S: "ORDER" } };
    const row = (contact: object) => ({ ...item("confirmed"), contact: { M: contact } });
    const update = (UpdateExpression: string, value: object) => ({
      Key,
      UpdateExpression,
      ExpressionAttributeNames: { "#contact": "contact", "#note": "note", "#other": "other" },
      ExpressionAttributeValues: { ":value": value },
    });
    const none = { NULL: true };
    const found = "order.contact.note = null";
    expect(sent({ Item: row({ note: none }) })).toBe(found);
    expect(sent(update("SET #contact.#note = :value", none))).toBe(found);
    expect(sent(update("SET #contact = :value", { M: { note: none } }))).toBe(found);
    expect(sent({ Item: row({ note: { S: "" }, other: none }) })).toBeUndefined();
    expect(sent(update("SET #contact.#other = :value", none))).toBeUndefined();
  });

  test("finds no other writes and no reads", () => {
    expect(sent({ Item: item("confirmed") })).toBeUndefined();
    expect(sent({ Item: { ...item("paused"), entity: { S: "quote" } } })).toBeUndefined();
    expect(sent({ RequestItems: { t: { Keys: [] } } })).toBeUndefined();
  });
});
