import { openCustomerIdentity } from "#shared/application/identity/customer-identity.ts";
import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import type { Opener, Parts, Shop } from "#shared/application/shop.ts";

export const customerIdentity: Opener<Parts["customerIdentity"], Shop<"table" | "customerKeys">> = (
  _environment,
  { table, customerKeys },
) => openCustomerIdentity(table, customerKeys);

export const staffIdentity: Opener<Parts["staffIdentity"], Shop<"table">> = (
  _environment,
  { table },
) => openStaffIdentity(table);
