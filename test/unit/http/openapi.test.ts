import { expect, test } from "vitest";
import * as z from "zod";
import { nameSchemas } from "#shared/http/component-names.ts";
import { describe } from "#shared/http/openapi.ts";
import { type Route, anyone, route } from "#shared/http/route.ts";
import {
  type Description,
  judgeBy,
  operationsOf,
  resolved,
} from "#test/support/http/description.ts";

const Hammock = z.object({
  weave: z.enum(["plain", "herringbone"]).nullable(),
  note: z.string().nullable(),
  ropes: z.union([z.array(z.object({ length_mm: z.int() })), z.string()]),
});

const aRoute = (path: string, idempotent: NonNullable<Route["idempotent"]>): Route =>
  route({
    method: "POST",
    path,
    summary: "Do something",
    access: anyone,
    idempotent,
    request: {},
    response: { status: 200, data: Hammock },
    handle: async () => ({ data: { weave: null, note: null, ropes: "" } }),
  });

/** The document of these routes, by operation id. */
function documentOf(named: Readonly<Record<string, Route>>): Description {
  const routes = Object.values(named);
  nameSchemas([{ name: "Hammock", schema: Hammock }], routes);
  const group = { name: "Storefront: hammocks", description: "Hammocks.", routes };
  const info = { title: "Hammocks", version: "1.0.0", description: "Hammocks." };
  const names = new Map(Object.entries(named).map(([name, one]) => [one, name]));
  return JSON.parse(JSON.stringify(describe([group], info, names))) as Description;
}

const document = documentOf({
  hangHammock: aRoute("/hammocks/hung", true),
  buyHammock: aRoute("/hammocks/bought", "required"),
});

test("the parts of a list are named after the member that has the list, also if it may be a text instead", () => {
  const names = Object.keys(document.components.schemas);
  expect(names.filter((name) => !name.endsWith("Problem"))).toEqual(["Hammock", "HammockRope"]);
});

test("a nullable member may be null, also one of a list of values", () => {
  const judge = judgeBy(document);
  const schema = { $ref: "#/components/schemas/Hammock" };
  const hammock = { weave: null, note: null, ropes: [{ length_mm: 900 }] };
  expect(judge(schema, hammock)).toBeUndefined();
  expect(judge(schema, { ...hammock, weave: "twill" })).toContain("/weave");
  expect(judge(schema, { ...hammock, note: 1 })).toContain("/note");
});

test("an Idempotency-Key is required where the route requires it, and optional where it only takes it", () => {
  const taken = operationsOf(resolved(document)).map(({ operation }) =>
    operation.parameters?.map(({ name, required = false }) => [name, required]),
  );
  expect(taken).toEqual([[["idempotency-key", false]], [["idempotency-key", true]]]);
});
