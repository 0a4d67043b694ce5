import type { Customer } from "#shared/domain/customer/customer.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import type { Actor } from "#shared/domain/request/identity.ts";

/** The customer whose call this is; for routes that are guarded. */
export function customerId(actor: Actor): string {
  if (actor.kind !== "customer") throw new TypeError("Expected a customer");
  return actor.id;
}

/** Somebody whose account was deleted while the call was under way is signed out. */
export function stillThere(customer: Customer | undefined): Customer {
  if (!customer) throw new AppError("unauthenticated");
  return customer;
}
