import { expect, test } from "vitest";
import { QuickReplyInput, filledIn, variablesIn } from "#shared/domain/inbox/quick-reply.ts";

test("all variables of a quick reply are replaced by plain text, which is not searched for variables again", () => {
  const text = "Hi {{customer_name}}, {{ agent_name }} here. {{customer_name}}!";
  expect(variablesIn(text)).toEqual(["customer_name", "agent_name"]);
  const values = { customer_name: "$1 {{agent_name}}", agent_name: "Rohan" };
  expect(filledIn(text, values)).toEqual({
    text: "Hi $1 {{agent_name}}, Rohan here. $1 {{agent_name}}!",
  });
});

test("missing values of a quick reply are named, and no variable is replaced", () => {
  const text = "{{customer_name}} {{order_number}} {{store_name}}";
  expect(filledIn(text, { customer_name: "Asha", order_number: null })).toEqual({
    missing: ["order_number", "store_name"],
  });
});

test("a quick reply may contain known variables only", () => {
  const isTaken = (text: string) => QuickReplyInput.safeParse({ title: "A", text }).success;
  expect(isTaken("Hello {{customer_name}} {single} }}")).toBe(true);
  for (const text of ["{{password}}", "{{}}", "{{ customer name }}", "{{constructor}}"]) {
    expect([text, isTaken(text)]).toEqual([text, false]);
  }
});
