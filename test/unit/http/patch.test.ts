import { describe, expect, test } from "vitest";
import { patchOf, withPatch } from "#shared/http/patch.ts";
import * as z from "zod";

const Input = z.strictObject({
  name: z.string(),
  note: z.string().nullable().default(null),
  tags: z.array(z.string()).default([]),
  count: z.int().optional(),
});
const Patch = patchOf(Input);

describe("a patch", () => {
  test("names what it changes, and nothing becomes its default", () => {
    expect(Patch.parse({})).toEqual({});
    expect(Patch.parse({ note: null, tags: ["a"] })).toEqual({ note: null, tags: ["a"] });
  });

  test.each([{ name: null }, { tags: null }, { other: 1 }, { count: "1" }])(
    "%j is refused",
    (body) => {
      expect(Patch.safeParse(body).success).toBe(false);
    },
  );

  test("is laid over a record", () => {
    const record = { name: "A", note: "B" as string | null };
    expect(withPatch(record, { note: null })).toEqual({ name: "A", note: null });
    expect(withPatch(record, { name: undefined })).toEqual(record);
  });
});
