import { inspect } from "node:util";
import { expect, test } from "vitest";
import * as z from "zod";
import { Customers } from "#shared/storage/customer/customers.ts";
import { entity } from "#shared/storage/entity.ts";
import { Refused, put, update } from "#shared/storage/writes.ts";
import { aCustomer } from "#test/support/people/members.ts";

test("the log line of a refused write contains neither the new nor the conflicting record", () => {
  const customer = aCustomer();
  const refused = new Refused([
    { write: put(Customers, customer), conflictingItem: { ...customer } },
  ]);
  const cause = new Error("kept changing", { cause: refused });
  const shown = [refused, cause].map(
    (error) => inspect(error, { depth: 9 }) + JSON.stringify(error),
  );
  expect(shown.join()).not.toContain(customer.password_hash);
  expect(shown.join()).not.toContain(customer.email);
  expect(refused.failures[0]?.conflictingItem?.["email"]).toBe(customer.email);
});

test("an update can set a time to live only if the entity declares one", () => {
  const declaration = { name: "note", schema: z.object({}), key: () => ({ pk: "A", sk: "B" }) };
  const changes = { set: { ttl: 1_795_000_000 } };
  expect(() => update(entity(declaration), {}, changes)).toThrow("Updates of note set its ttl");
  expect(() =>
    update(entity({ ...declaration, ttl: "set by updates" }), {}, changes),
  ).not.toThrow();
});
