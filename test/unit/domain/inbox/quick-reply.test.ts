import { expect, test } from "vitest";
import { QuickReplyInput, filledIn, variablesIn } from "#shared/domain/inbox/quick-reply.ts";

test("variables are replaced wherever they occur, without interpretation", () => {
  const text = "Hi {{customer_name}}, {{ agent_name }} here. {{customer_name}}!";
  expect(variablesIn(text)).toEqual(["customer_name", "agent_name"]);
  const values = { customer_name: "$1 {{agent_name}}", agent_name: "Rohan" };
  expect(filledIn(text, values)).toEqual({
    text: "Hi $1 {{agent_name}}, Rohan here. $1 {{agent_name}}!",
  });
});

test("unknown values are named, and nothing is filled in", () => {
  const text = "{{customer_name}} {{order_number}} {{store_name}}";
  expect(filledIn(text, { customer_name: "Asha", order_number: null })).toEqual({
    missing: ["order_number", "store_name"],
  });
});

test("only known variables may be left open", () => {
  const isTaken = (text: string) => QuickReplyInput.safeParse({ title: "A", text }).success;
  expect(isTaken("Hello {{customer_name}} {single} }}")).toBe(true);
  for (const text of ["{{password}}", "{{}}", "{{ customer name }}", "{{constructor}}"]) {
    expect([text, isTaken(text)]).toEqual([text, false]);
  }
});
