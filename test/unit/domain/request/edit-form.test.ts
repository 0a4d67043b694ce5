import * as fc from "fast-check";
import * as z from "zod";
import { describe, expect, test } from "vitest";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { parsed } from "#shared/domain/request/validation.ts";

const Input = z.strictObject({
  name: z.string().min(1),
  note: z.string().nullable().default(null),
  tags: z.array(z.string()).default([]),
  seo: z
    .strictObject({ title: z.string().nullable(), description: z.string().nullable() })
    .default({ title: null, description: null }),
  benefit: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("percent"),
      bps: z.int().min(1),
      cap: z.int().nullable(),
    }),
    z.strictObject({ kind: z.literal("fixed"), amount: z.int().min(1) }),
  ]),
});
const Record = z.object({
  id: z.string(),
  ...Input.shape,
  version: z.int(),
  created_at: z.string(),
});
const form = editForm(Input, Record);
const shown = {
  id: "x_1",
  name: "Oslo",
  note: "As it was",
  tags: ["a", "b"],
  seo: { title: "Old", description: "Kept" },
  benefit: { kind: "percent" as const, bps: 500, cap: 100 },
  version: 3,
  created_at: "2026-11-21T09:00:00.000Z",
};
const patched = (sent: object) => form.patched(parsed(form.patch, sent), shown);
const refusal = (attempt: () => unknown): [string, string[]] => {
  try {
    attempt();
  } catch (error) {
    if (error instanceof AppError) return [error.code, Object.keys(error.refusal.errors ?? {})];
    throw error;
  }
  throw new Error("The body was not refused");
};

describe("a PATCH body", () => {
  test.each<[string, object, object]>([
    ["without members changes nothing", {}, {}],
    [
      "keeps the other members of an object",
      { seo: { title: "X" } },
      { seo: { title: "X", description: "Kept" } },
    ],
    [
      "clears a member of an object",
      { seo: { title: null } },
      { seo: { title: null, description: "Kept" } },
    ],
    ["clears a nullable member", { note: null }, { note: null }],
    [
      "resets a member that is not nullable to its default",
      { tags: null, seo: null },
      { tags: [], seo: { title: null, description: null } },
    ],
    ["replaces a list as a whole", { tags: ["c"] }, { tags: ["c"] }],
    [
      "merges the members of a union branch",
      { benefit: { bps: 700 } },
      { benefit: { kind: "percent", bps: 700, cap: 100 } },
    ],
    [
      "clears a member of a union branch",
      { benefit: { cap: null } },
      { benefit: { kind: "percent", bps: 500, cap: null } },
    ],
    [
      "replaces the members of the previous union branch",
      { benefit: { kind: "fixed", amount: 9 } },
      { benefit: { kind: "fixed", amount: 9 } },
    ],
  ])("%s", (_what, sent, expected) => {
    expect(patched(sent)).toEqual(expected);
  });

  test.each<[string, object, string]>([
    ["null for a required member", { name: null }, "name"],
    ["an unknown member", { colour: 1 }, "colour"],
    ["an unknown nested member", { seo: { colour: 1 } }, "seo.colour"],
    ["an invalid nested value", { benefit: { bps: 0 } }, "benefit.bps"],
    ["an incomplete new union branch", { benefit: { kind: "fixed" } }, "benefit.amount"],
    ["a changed read-only member", { id: "x_2" }, "id"],
  ])("is refused at the path of %s", (_what, sent, path) => {
    expect(refusal(() => patched(sent))).toEqual(["validation_failed", [path]]);
  });

  test("is validated against rules over several members after merging", () => {
    const Span = z
      .strictObject({ from: z.int(), to: z.int() })
      .refine(({ from, to }) => from < to, { path: ["to"], message: "Too early." });
    const spans = editForm(Span, z.object({ from: z.int(), to: z.int() }));
    const change = (sent: object) => () => spans.patched(sent, { from: 1, to: 5 });
    expect(change({ to: 3 })()).toEqual({ to: 3 });
    expect(refusal(change({ from: 7 }))).toEqual(["validation_failed", ["to"]]);
  });

  test("that contains the record's current values has no effect", () => {
    const part = fc.subarray(Object.keys(shown) as (keyof typeof shown)[]);
    fc.assert(
      fc.property(part, (names) => {
        const sent = Object.fromEntries(names.map((name) => [name, shown[name]]));
        expect({ ...shown, ...patched(sent) }).toEqual(shown);
      }),
    );
  });
});

describe("a PUT body", () => {
  const replaced = (sent: object) => form.replaced(parsed(form.put, sent), shown);
  const { id: _id, version: _version, created_at: _at, ...content } = shown;

  test("is accepted if it is the record as it was read", () => {
    expect(replaced(shown)).toEqual(content);
  });

  test("clears members that it omits", () => {
    const { name, benefit } = shown;
    expect(replaced({ name, benefit })).toMatchObject({ note: null, tags: [] });
  });

  test("is refused with a changed read-only member and with an outdated version", () => {
    const changed = { ...shown, created_at: "2020-01-01T00:00:00.000Z" };
    expect(refusal(() => replaced(changed))).toEqual(["validation_failed", ["created_at"]]);
    expect(refusal(() => replaced({ ...shown, version: 2 }))).toEqual(["version_mismatch", []]);
  });
});
