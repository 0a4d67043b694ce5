import { expect, test } from "vitest";
import { changedByStaff, customerFile } from "#shared/domain/customer/admin-customer.ts";
import { aCustomer } from "#test/support/people/members.ts";
import { noon } from "#test/support/shop/commerce.ts";

test("a customer change by staff keeps omitted members, and null clears a member", () => {
  const before = aCustomer({ phone: "+919812345678", notes: "Old", tags: ["vip"] });
  const after = changedByStaff(before, { notes: null }, noon);
  const updated_at = noon.toISOString();
  expect(after).toEqual({ ...before, notes: null, version: before.version + 1, updated_at });
});

test("disabling a customer ends all sessions once, and enabling ends none", () => {
  const before = aCustomer();
  const shut = changedByStaff(before, { disabled: true }, noon);
  const again = changedByStaff(shut, { disabled: true, name: "Asha" }, noon);
  const opened = changedByStaff(again, { disabled: false }, noon);
  expect([shut, again, opened].map(({ status, session_epoch }) => [status, session_epoch])).toEqual(
    [
      ["disabled", 2],
      ["disabled", 2],
      ["active", 2],
    ],
  );
});

test("staff who clear the marketing consent end the newsletter of the customer, but staff who set it do not start it", () => {
  const preferences = { ...aCustomer().preferences, newsletter: true };
  const before = aCustomer({ marketing_opt_in: true, preferences });
  const { newsletter } = before.preferences;
  const named = changedByStaff(before, { name: "Asha" }, noon);
  expect(named.preferences.newsletter).toBe(newsletter);
  const asked = changedByStaff(before, { marketing_opt_in: false }, noon);
  expect([asked.marketing_opt_in, asked.preferences.newsletter]).toEqual([false, false]);
  const noted = changedByStaff(asked, { marketing_opt_in: true }, noon);
  expect([noted.marketing_opt_in, noted.preferences.newsletter]).toEqual([true, false]);
});

test("a customer without addresses is returned with an empty list", () => {
  const orders = { count: 0, unpaid: 0, last: null };
  const file = customerFile({ customer: aCustomer(), book: undefined, orders });
  expect(file).toMatchObject({ addresses: [], orders, disabled: false });
});
