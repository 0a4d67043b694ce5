import { describe, expect, test } from "vitest";
import * as z from "zod";
import { AppError, type FieldErrors, invalidFields } from "#shared/domain/request/app-error.ts";
import { parsed } from "#shared/domain/request/validation.ts";

function errorsOf(schema: z.ZodType, value: unknown): FieldErrors {
  try {
    parsed(schema, value);
  } catch (error) {
    if (error instanceof AppError) return error.refusal.errors ?? {};
    throw error;
  }
  return {};
}

describe("a validation error", () => {
  test.each<[string, z.ZodType, unknown, string]>([
    ["missing", z.string(), undefined, "The first name field is required."],
    ["missing choice", z.enum(["a", "b"]), undefined, "The first name field is required."],
    ["no string", z.string(), 5, "The first name field must be a string."],
    ["no number", z.number(), "5", "The first name field must be a number."],
    ["no integer", z.int(), 1.5, "The first name field must be an integer."],
    ["no boolean", z.boolean(), "yes", "The first name field must be true or false."],
    ["no list", z.array(z.string()), {}, "The first name field must be a list."],
    ["no object", z.strictObject({}), [], "The first name field must be an object."],
    ["null", z.string(), null, "The first name field is required."],
    ["empty", z.string().min(1), "", "The first name field is required."],
    ["too short", z.string().min(8), "abc", "The first name field must be at least 8 characters."],
    ["too long", z.string().max(2), "abc", "The first name field must be at most 2 characters."],
    ["too small", z.number().min(1), 0, "The first name field must be at least 1."],
    ["too big", z.number().max(99), 100, "The first name field must be at most 99."],
    ["too few", z.array(z.int()).min(1), [], "The first name field must have at least 1 item."],
    ["too many", z.array(z.int()).max(1), [1, 2], "The first name field must have at most 1 item."],
    ["multiple", z.number().multipleOf(5), 7, "The first name field must be a multiple of 5."],
    ["choice", z.enum(["a", "b"]), "c", "The selected first name is invalid. It must be a or b."],
    ["email", z.email(), "ada@", "The first name field must be a valid email address."],
    ["url", z.url(), "nowhere", "The first name field must be a valid URL."],
    ["date", z.iso.date(), "2026-02-31", "The first name field must be a date such as 2026-01-31."],
    ["time", z.iso.datetime(), "noon", "The first name field must be a date and time with offset."],
    ["pattern", z.string().regex(/^x$/), "y", "The first name field format is invalid."],
    ["custom rule", z.string().refine(() => false), "y", "The first name field is invalid."],
    [
      "custom rule with its own message",
      z.string().refine(() => false, "Try another."),
      "y",
      "Try another.",
    ],
  ])("has the message of its kind: %s", (_kind, schema, value, sentence) => {
    const errors = errorsOf(z.strictObject({ first_name: schema }), { first_name: value });
    expect(errors).toEqual({ first_name: [sentence] });
  });
});

describe("the path of a validation error", () => {
  const Cart = z.strictObject({ items: z.array(z.strictObject({ quantity: z.int().min(1) })) });

  test("joins names and list positions with dots", () => {
    const errors = errorsOf(Cart, { items: [{ quantity: 1 }, { quantity: 0 }, {}] });
    expect(Object.keys(errors)).toEqual(["items.1.quantity", "items.2.quantity"]);
  });

  test("names an unknown member", () => {
    const errors = errorsOf(Cart, { items: [{ quantity: 1, price: 5 }], total: 1 });
    expect(errors).toEqual({
      "items.0.price": ["The price field is not allowed."],
      total: ["The total field is not allowed."],
    });
  });

  test("names the whole body if its type is wrong", () => {
    expect(errorsOf(Cart, [])).toEqual({ body: ["The body field must be an object."] });
    expect(errorsOf(Cart, undefined)).toEqual({ body: ["The body field is required."] });
  });

  test("treats members that are named like object properties as ordinary members", () => {
    const hostile = JSON.parse('{"items":[],"__proto__":{"a":1},"constructor":1}') as unknown;
    const errors = errorsOf(Cart, hostile);
    expect(Object.hasOwn(errors, "constructor")).toBe(true);
    expect(Object.getPrototypeOf(errors)).toBe(Object.prototype);
    expect({}).not.toHaveProperty("a");
  });

  test.each<[string, z.ZodType, unknown, string]>([
    ["a length and a pattern", z.string().min(3).regex(/^x$/), "a", "at least 3 characters"],
    [
      "a pattern and a custom rule",
      z
        .string()
        .regex(/^x$/)
        .refine(() => false, "Words"),
      "a",
      "Words",
    ],
    ["two upper bounds", z.int().max(99), 1e20, "at most 99"],
    ["two lower bounds", z.int().min(0).min(5), -1, "at least 5"],
    [
      "two rules with the same message",
      z.union([z.string().regex(/a/).regex(/b/)]),
      "c",
      "format is invalid",
    ],
  ])(
    "has only one message, the most specific, if a value breaks several rules (%s)",
    (_, code, sent, words) => {
      const errors = errorsOf(z.strictObject({ code }), { code: sent });
      expect(errors["code"]).toEqual([expect.stringContaining(words)]);
    },
  );

  test("has a message with the name of a nested member", () => {
    const schema = z.strictObject({ billing_address: z.strictObject({ tags: z.array(z.int()) }) });
    expect(errorsOf(schema, { billing_address: { tags: ["a"] } })).toEqual({
      "billing_address.tags.0": ["The tags field must be a number."],
    });
  });
});

test("a union is validated by the branch that declares most of the sent members", () => {
  const Line = z.union([
    z.strictObject({ sku: z.string(), quantity: z.int() }),
    z.strictObject({ sofa: z.string(), configuration: z.strictObject({}), quantity: z.int() }),
  ]);
  const errors = errorsOf(z.strictObject({ line: Line }), {
    line: { sofa: "oslo", configuration: {}, quantity: "1" },
  });
  expect(errors).toEqual({ "line.quantity": ["The quantity field must be a number."] });
});

test("a union branch that declares all sent members is used even if required members are missing", () => {
  const Event = z.strictObject({ event_id: z.string(), name: z.string(), session_id: z.string() });
  const Body = z.union([Event, z.strictObject({ events: z.array(z.unknown()) })]);
  expect(Object.keys(errorsOf(Body, { event_id: "e1" }))).toEqual(["name", "session_id"]);
  expect(Object.keys(errorsOf(Body, { events: "e1" }))).toEqual(["events"]);
});

test("a union branch for another type of value is not used", () => {
  const Choice = z.union([z.string(), z.strictObject({ sku: z.string() })]);
  expect(errorsOf(z.strictObject({ line: Choice }), { line: { skew: "x" } })).toEqual({
    "line.sku": ["The sku field is required."],
    "line.skew": ["The skew field is not allowed."],
  });
});

test("the overall message of a 422 response is the message of the first error", () => {
  const Person = z.strictObject({ email: z.email(), name: z.string() });
  expect(() => parsed(Person, { email: "x" })).toThrow(
    "The email field must be a valid email address.",
  );
});

describe("a 422 response with many errors", () => {
  const refusalOf = (schema: z.ZodType, value: unknown): AppError => {
    try {
      parsed(schema, value);
    } catch (error) {
      if (error instanceof AppError) return error;
    }
    throw new Error("The value was accepted");
  };
  const members = (count: number, name = (number: number) => `m${number}`) =>
    Object.fromEntries(Array.from({ length: count }, (_, number) => [name(number), 0]));

  test.each<[string, z.ZodType, unknown]>([
    ["unknown members", z.strictObject({}), members(101)],
    ["elements", z.array(z.string()), Array.from({ length: 101 }, () => 0)],
    ["entries of a map", z.record(z.string(), z.string()), members(101)],
    [
      "parts of one branch of a union",
      z.union([z.strictObject({ a: z.string() }), z.boolean()]),
      members(101),
    ],
  ])("names 100 paths and says that there are more: %s", (_what, schema, value) => {
    const { errors = {}, details } = refusalOf(schema, value).refusal;
    expect([Object.keys(errors).length, details]).toEqual([100, { truncated: true }]);
  });

  test("names all paths if there are at most 100", () => {
    const { errors = {}, details } = refusalOf(z.strictObject({}), members(100)).refusal;
    expect([Object.keys(errors).length, details]).toEqual([100, undefined]);
  });

  test("truncates long member names in paths and messages", () => {
    const value = members(100, (number) => `${number}${"🛋".repeat(10_000)}`);
    const { refusal, message } = refusalOf(z.strictObject({}), value);
    const text = JSON.stringify({ message, ...refusal });
    expect(text.length).toBeLessThan(128 * 1024);
    expect(text.isWellFormed()).toBe(true);
  });

  test("names at most 100 paths, also for errors that the rules of a record report", () => {
    const problems = Array.from({ length: 5_000 }, (_, number) => ({
      path: `items.${number}`,
      message: "This is not sold.".repeat(100),
    }));
    const { errors = {}, details } = invalidFields(problems).refusal;
    expect([Object.keys(errors).length, details]).toEqual([100, { truncated: true }]);
    expect(JSON.stringify(errors).length).toBeLessThan(128 * 1024);
  });
});
