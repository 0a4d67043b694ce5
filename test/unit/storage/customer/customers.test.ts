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
import { aCustomer } from "#test/support/people/customers.ts";
import { type TestTable, startTestTable } from "#test/support/stack/test-table.ts";

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

describe("a customer", () => {
  test("is found by id and by email", async () => {
    const customer = await stored();
    const customers = openCustomers(here.table);
    expect(await customers.find(customer.id)).toEqual(customer);
    expect(await customers.findByEmail(customer.email)).toEqual(customer);
    expect(await customers.find("cus_none")).toBeUndefined();
    expect(await customers.findByEmail("none@example.com")).toBeUndefined();
  });

  test("is looked for in as many consistent steps whether or not the email is known", async () => {
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

  test("of 50 who take one email at once is one, and the others learn that it is the email", async () => {
    const email = "wanted@example.com";
    const attempts = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const customer = aCustomer({ email });
        const claim = claimEmail(customer);
        return here.table.transact([addCustomer(customer), claim]).then(
          () => customer.id,
          (error: unknown) => error instanceof Refused && error.names(claim) && "taken",
        );
      }),
    );
    const made = attempts.filter((outcome) => outcome !== "taken");
    expect(made).toHaveLength(1);
    expect(await openCustomers(here.table).findByEmail(email)).toMatchObject({ id: made[0] });
  });

  test("moves to another email without a moment of having both or none", async () => {
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

  test("is not found by an email that it left while it was being looked for", async () => {
    const customer = await stored();
    const elsewhere = { ...customer, email: `new-${customer.email}` };
    await here.table.write(replaceCustomer(customer, elsewhere));
    expect(await openCustomers(here.table).findByEmail(customer.email)).toBeUndefined();
  });

  test("written by two at once keeps the first's change", async () => {
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

test("the row of a phone follows it, and another way to write it makes no other phone of it", () => {
  const was = aCustomer({ phone: "+919812345678" });
  const kinds = (phone: string | null) =>
    movePhone(was, { ...was, phone }, "IN").map(({ kind }) => kind);
  expect(kinds("+919812345678")).toEqual([]);
  expect(kinds("919812345678")).toEqual([]);
  expect(kinds("09812345678")).toEqual([]);
  expect(kinds("+919812345679")).toEqual(["remove", "put"]);
  expect(kinds(null)).toEqual(["remove"]);
  expect(movePhone(undefined, was, "IN")).toHaveLength(1);
  expect(movePhone(was, undefined, "IN")).toHaveLength(1);
});
