import { describe, expect, test } from "vitest";
import * as z from "zod";
import { everyEntity } from "#infra/entities.ts";
import { entity, itemOf, projection, recordOf } from "#shared/storage/entity.ts";
import { readRow } from "#shared/storage/read-row.ts";

const Line = z.strictObject({ sku: z.string(), quantity: z.int().min(1).default(1) });
const Payment = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("card"), last_digits: z.string().length(4) }),
  z.object({ kind: z.literal("cash"), rounded: z.boolean().default(false) }),
]);
const schema = z.object({
  id: z.string(),
  email: z.email(),
  title: z.string().trim().max(20),
  state: z.enum(["open", "closed"]).default("open"),
  lines: z.array(Line).default([]),
  payment: Payment.nullable().default(null),
  options: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
  note: z.string().optional(),
});
const Baskets = entity({
  name: "basket",
  schema,
  key: ({ id }: { id: string }) => ({ pk: `BASKET#${id}`, sk: "BASKET" }),
});
const Copies = entity({
  name: "basket_copy",
  schema,
  key: ({ id }: { id: string }) => ({ pk: `COPY#${id}`, sk: "COPY" }),
});

const aRow = (overrides: Record<string, unknown> = {}) => ({
  pk: "BASKET#b1",
  sk: "BASKET",
  entity: "basket",
  id: "b1",
  email: "asha@example.com",
  title: "Living room",
  ...overrides,
});

describe("a row that an older release wrote", () => {
  test("is read with the defaults of members that it lacks, also in lists and unions", () => {
    const row = aRow({ lines: [{ sku: "A" }], payment: { kind: "cash" } });
    expect(recordOf(Baskets, row)).toEqual({
      id: "b1",
      email: "asha@example.com",
      title: "Living room",
      state: "open",
      lines: [{ sku: "A", quantity: 1 }],
      payment: { kind: "cash", rounded: false },
      options: {},
    });
  });

  test("shares no default value object with another row", () => {
    const [one, other] = [recordOf(Baskets, aRow()), recordOf(Baskets, aRow())];
    one.lines.push({ sku: "A", quantity: 1 });
    expect(other.lines).toEqual([]);
  });

  test("stays readable and unchanged when a validation rule becomes stricter", () => {
    const title = `  ${"Long ".repeat(10)}`;
    expect(recordOf(Baskets, aRow({ title, email: "Old Address" }))).toMatchObject({
      title,
      email: "Old Address",
    });
  });
});

describe("unknown members in a row that a newer release wrote", () => {
  const newer = aRow({
    gift_wrap: { paper: "red" },
    lines: [{ sku: "A", quantity: 2, engraving: "For Asha" }],
    payment: { kind: "card", last_digits: "4242", wallet: "phone" },
  });

  test("are not members of the record", () => {
    const record = recordOf(Baskets, newer);
    expect(JSON.parse(JSON.stringify(record))).toEqual({
      id: "b1",
      email: "asha@example.com",
      title: "Living room",
      state: "open",
      lines: [{ sku: "A", quantity: 2 }],
      payment: { kind: "card", last_digits: "4242" },
      options: {},
    });
    expect(schema.strict().safeParse(record).success).toBe(true);
  });

  test("are stored again with the changed record, at every depth", () => {
    const before = recordOf(Baskets, newer);
    const lines = before.lines.map((line) => ({ ...line, quantity: line.quantity + 1 }));
    const changed = { ...before, title: "Study", lines };
    expect(itemOf(Baskets, changed)).toEqual({
      ...newer,
      title: "Study",
      state: "open",
      options: {},
      lines: [{ sku: "A", quantity: 3, engraving: "For Asha" }],
    });
  });

  test("are not copied to a row of another entity", () => {
    const item = itemOf(Copies, recordOf(Baskets, newer));
    expect(item).not.toHaveProperty("gift_wrap");
    expect(item).toMatchObject({ lines: [{ sku: "A", quantity: 2 }] });
    expect(JSON.stringify(item)).not.toMatch(/engraving|wallet/);
  });

  test("are overridden by the record's own members", () => {
    const older = entity({ ...Baskets, schema: schema.omit({ note: true }) });
    const before = recordOf(older, aRow({ note: "old" }));
    expect(itemOf(Baskets, { ...before, note: "new" })).toHaveProperty("note", "new");
  });
});

describe("a row that does not match its schema", () => {
  const misfits: [what: string, row: Record<string, unknown>, place: string][] = [
    ["a member is missing", { title: undefined }, ".title"],
    ["a member has another type", { email: 7 }, ".email"],
    ["a member is null", { state: null }, ".state"],
    ["an enumeration has an unknown value", { state: "secret-state" }, ".state"],
    ["a list member is not a list", { lines: "secret" }, ".lines"],
    ["an entry of a list lacks a member", { lines: [{ sku: "A" }, {}] }, ".lines[].sku"],
    ["a union has an unknown kind", { payment: { kind: "secret" } }, ".payment.kind"],
    ["a value of a map has another type", { options: { secret: 7 } }, ".options{}"],
  ];

  test.each(misfits)("is refused if %s", (_what, overrides, place) => {
    const read = () => recordOf(Baskets, aRow(overrides));
    expect(read).toThrow(
      expect.objectContaining({
        name: "UnreadableRow",
        message: `A stored row does not fit the schema of basket: BASKET#b1 BASKET, at ${place}`,
      }),
    );
    expect(read).not.toThrow(/secret|asha/);
  });

  test("causes an error that contains no email or phone number from the row's key", () => {
    const keys = { pk: "BUYER#email#asha@example.com", sk: "PHONE#+919812345678" };
    expect(() => recordOf(Baskets, { ...aRow(), ...keys, id: 1 })).toThrow(
      "basket: BUYER#email#… PHONE#…, at .id",
    );
  });
});

describe("a projection of an entity", () => {
  const Titles = projection(Baskets, ["title", "state"]);

  test("returns only its own members, with their defaults", () => {
    expect(recordOf(Titles, aRow({ gift_wrap: true }))).toStrictEqual({
      title: "Living room",
      state: "open",
    });
  });

  test("can be read even if other members of the row are invalid", () => {
    expect(recordOf(Titles, aRow({ lines: "broken" }))).toHaveProperty("title", "Living room");
    expect(() => recordOf(Titles, aRow({ title: 7 }))).toThrow("basket: BASKET#b1 BASKET");
  });

  test("cannot have members that its entity lacks", () => {
    // @ts-expect-error -- there is no such member
    expect(() => projection(Baskets, ["price"])).toThrow("price");
  });
});

test.each((await everyEntity()).map((of) => [of.name, of] as const))(
  "the schema of the entity %s contains only types that the reader of stored rows supports",
  (_name, of) => {
    expect(() => readRow(of.schema, of.name, {})).not.toThrow();
  },
);

test("a schema that transforms values is refused as an entity's schema", () => {
  const doubling = z.object({ price: z.int().transform((price) => 2 * price) });
  expect(() => readRow(doubling, "price", { price: 1 })).toThrow("cannot contain the type pipe");
});
