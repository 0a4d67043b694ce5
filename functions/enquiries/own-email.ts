import type { Shop } from "#shared/application/shop.ts";
import type { Actor } from "#shared/domain/request/identity.ts";
import { Customers } from "#shared/storage/customer/customers.ts";

/** Whether `email` is the signed-in customer's own verified email. */
export async function isOwnEmail(
  actor: Actor,
  email: string,
  { table }: Shop<"table">,
): Promise<boolean> {
  if (actor.kind !== "customer") return false;
  const customer = await table.get(Customers, { id: actor.id });
  return customer?.email === email && customer.email_verified_at !== null;
}
