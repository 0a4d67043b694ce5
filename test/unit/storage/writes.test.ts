import { inspect } from "node:util";
import { expect, test } from "vitest";
import { Customers } from "#shared/storage/customers.ts";
import { Refused, put } from "#shared/storage/writes.ts";
import { aCustomer } from "#test/support/customers.ts";

test("a refusal that is logged shows no record, neither the one to be written nor the one found", () => {
  const customer = aCustomer();
  const refused = new Refused([{ write: put(Customers, customer), found: { ...customer } }]);
  const cause = new Error("kept changing", { cause: refused });
  const shown = [refused, cause].map(
    (error) => inspect(error, { depth: 9 }) + JSON.stringify(error),
  );
  expect(shown.join()).not.toContain(customer.password_hash);
  expect(shown.join()).not.toContain(customer.email);
  expect(refused.failures[0]?.found?.["email"]).toBe(customer.email);
});
