import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  addCustomer,
  claimEmail,
  movePhone,
  openCustomers,
  releaseEmail,
  replaceCustomer,
} from "#shared/storage/customer/customers.ts";
import type { Customer } from "#shared/domain/customer/customer.ts";
import { Refused } from "#shared/storage/writes.ts";
import { aCustomer } from "#test/support/people/members.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let here: TestTable;
beforeAll(async () => {
  here = await startTestTable();
});
afterAll(() => here.stop());

async function stored(overrides: Partial<Customer> = {}): Promise<Customer> {
  const customer = aCustomer(overrides);
  await here.table.transact([addCustomer(customer), claimEmail(customer)]);
  return customer;
}

describe("a stored customer", () => {
  test("is found by id and by email", async () => {
    const customer = await stored();
    const customers = openCustomers(here.table);
    expect(await customers.find(customer.id)).toEqual(customer);
    expect(await customers.findByEmail(customer.email)).toEqual(customer);
    expect(await customers.find("cus_none")).toBeUndefined();
    expect(await customers.findByEmail("none@example.com")).toBeUndefined();
  });

  test("takes the same number of consistent reads to find, whether or not the email exists", async () => {
    const { email } = await stored();
    const customers = openCustomers(here.table);
    for (const asked of [email, "none@example.com"]) {
      const { calls } = await here.proxy.record(() => customers.findByEmail(asked));
      expect(calls.map(({ operation, consistent }) => [operation, consistent])).toEqual([
        ["GetItem", true],
        ["GetItem", true],
      ]);
    }
  });

  test("changes the email in one transaction", async () => {
    const before = await stored();
    const after = { ...before, email: `new-${before.email}` };
    await here.table.transact([
      replaceCustomer(before, after),
      claimEmail(after),
      releaseEmail(before),
    ]);
    const customers = openCustomers(here.table);
    expect(await customers.findByEmail(before.email)).toBeUndefined();
    expect(await customers.findByEmail(after.email)).toEqual({ ...after, version: 2 });
  });

  test("is not found by the old email if the email changes during the lookup", async () => {
    const customer = await stored();
    const elsewhere = { ...customer, email: `new-${customer.email}` };
    await here.table.write(replaceCustomer(customer, elsewhere));
    expect(await openCustomers(here.table).findByEmail(customer.email)).toBeUndefined();
  });

  test("keeps the first of two concurrent changes and refuses the other", async () => {
    const before = await stored();
    await here.table.write(replaceCustomer(before, { ...before, name: "First" }));
    await expect(
      here.table.write(replaceCustomer(before, { ...before, name: "Second" })),
    ).rejects.toThrow(Refused);
    expect(await openCustomers(here.table).find(before.id)).toMatchObject({
      name: "First",
      version: 2,
    });
  });
});

test("the lookup row of a phone is replaced when the phone changes, but not when only its format changes; a code to prove it ends", () => {
  const was = aCustomer({ phone: "+919812345678" });
  const writes = (phone: string | null) =>
    movePhone(was, { ...was, phone }, "IN").map(({ kind, entity }) => `${kind} ${entity.name}`);
  expect(writes("+919812345678")).toEqual([]);
  expect(writes("919812345678")).toEqual(["remove phone_proof"]);
  expect(writes("09812345678")).toEqual(["remove phone_proof"]);
  const gone = ["remove phone_proof", "remove customer_phone"];
  expect(writes("+919812345679")).toEqual([...gone, "put customer_phone"]);
  expect(writes(null)).toEqual(gone);
  expect(movePhone(undefined, was, "IN")).toHaveLength(1);
  expect(movePhone(was, undefined, "IN")).toHaveLength(2);
});
