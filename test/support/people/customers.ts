import { newId } from "#shared/domain/base/ids.ts";
import { type Customer, newCustomer } from "#shared/domain/customer/customer.ts";

/** The password of created customers and staff. */
export const aPassword = "a long enough password";
export const aPasswordHash =
  "$argon2id$v=19$m=19456,t=2,p=1$nacqG/4liEvTHbTwyavLKQ$/yE8X5JK2uFMtXmjg8/jbwmhgiEPLFYgPUFp8Pk7Yyk";

/** A stored customer with a unique id and email. */
export function aCustomer(overrides: Partial<Customer> = {}): Customer {
  const now = new Date();
  const id = newId("cus", now);
  const customer = newCustomer(
    {
      name: "Asha Rao",
      email: `${id.toLowerCase()}@example.com`,
      phone: undefined,
      marketing_opt_in: false,
    },
    { id, password_hash: aPasswordHash, locale: "en-IN", now },
  );
  return { ...customer, ...overrides };
}
