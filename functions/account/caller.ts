import type { Customer } from "#shared/domain/customer/customer.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import type { Actor } from "#shared/domain/request/identity.ts";

/**
 * Returns the id of the signed-in customer. Only routes with `access: customer` may call it: it throws TypeError for
 * other callers.
 */
export function customerId(actor: Actor): string {
  if (actor.kind !== "customer") throw new TypeError("Expected a customer");
  return actor.id;
}

/** Returns the customer. Throws AppError `unauthenticated` if the account was deleted during the request. */
export function requireCustomer(customer: Customer | undefined): Customer {
  if (!customer) throw new AppError("unauthenticated");
  return customer;
}
