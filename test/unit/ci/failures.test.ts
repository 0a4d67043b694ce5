import { expect, test } from "vitest";
import { exchangeOf } from "#test/support/http/exchange.ts";
import { failureList } from "#test/reporter/failures.ts";

test("a failure is listed with its place, its title, its message, the request and the answer", () => {
  const exchange = exchangeOf(
    { method: "POST", path: "/api/v1/cart", body: '{"items":[]}' },
    { status: 422, text: '{"code":"validation_failed"}' },
  );
  const list = failureList([
    {
      file: "test/api/a.test.ts",
      line: 12,
      title: "a cart > is empty",
      messages: ["no"],
      exchange,
    },
    { file: "test/api/b.test.ts", line: undefined, title: "", messages: ["1\n2\n3\n4\n5\n6\n7"] },
  ]);
  expect(list.split("\n")).toEqual([
    "",
    "2 failures:",
    "",
    "test/api/a.test.ts:12  a cart > is empty",
    "    no",
    '    POST /api/v1/cart {"items":[]}',
    '    → 422 {"code":"validation_failed"}',
    "",
    "test/api/b.test.ts",
    ...["1", "2", "3", "4", "5", "6"].map((line) => `    ${line}`),
  ]);
});

test.each([
  ['{"password":"geheim","name":"Asha"}', '{"password":"***","name":"Asha"}'],
  ['{ "order_access_token": "fAqBPz6y" }', '{ "order_access_token": "***" }'],
  ['{"header":"Bearer eyJhbGci.eyJzdWIi.c2ln"}', '{"header":"***"}'],
  ['{"client_secret":"pi_1_secret_2"}', '{"client_secret":"***"}'],
])("the body %s is shown as %s", (body, shown) => {
  const { request, answer } = exchangeOf(
    { method: "POST", path: "/a", body },
    { status: 200, text: body },
  );
  expect([request, answer]).toEqual([`POST /a ${shown}`, `200 ${shown}`]);
});

test("tokens in the address are masked, long bodies are cut, and other bodies are counted", () => {
  const path = "/documents/1?token=abc.def&page=2";
  const sent = exchangeOf({ method: "PUT", path, body: new Uint8Array(3) }, undefined);
  expect(sent).toEqual({
    request: "PUT /documents/1?token=***&page=2 (3 bytes)",
    answer: "no answer",
  });
  const { answer } = exchangeOf(
    { method: "GET", path: "/a" },
    { status: 200, text: "x".repeat(999) },
  );
  expect(answer).toBe(`200 ${"x".repeat(400)}…`);
});
