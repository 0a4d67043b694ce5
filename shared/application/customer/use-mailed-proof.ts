import type { Shop } from "#shared/application/shop.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { openCustomers, replaceCustomer } from "#shared/storage/customer/customers.ts";
import { type Addressee, linkIsDead } from "#shared/application/identity/mailed-links.ts";
import { type Customer, withVerifiedEmail } from "#shared/domain/customer/customer.ts";
import { followEmail, joinGuestOrders } from "#shared/storage/order/customer-orders.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { removeEmailProof } from "#shared/storage/customer/proven-emails.ts";
import { type Proof, spendProof } from "#shared/storage/customer/proofs.ts";
import type { Write } from "#shared/storage/writes.ts";

/** The addressee of a mailed link. */
export const linkFor = ({ session_epoch, ...customer }: Customer): Addressee => ({
  guard: "customer",
  subject: customer.id,
  email: customer.email,
  name: provenName(customer),
  epoch: session_epoch,
});

/** Mails the customer that the password has changed, in case somebody else changed it. */
export function notifyOfNewPassword(customer: Customer, now: Date): Write {
  const [to, name] = [customer.email, provenName(customer)];
  return publishEvent({ type: "password_changed", to, name, changed_at: now.toISOString() }, now);
}

/**
 * The name for mails; null while the email is unverified. Such an email may belong to a stranger, who must not receive
 * text that somebody else typed.
 */
export const provenName = ({
  name,
  email_verified_at,
}: Pick<Customer, "name" | "email_verified_at">): string | null =>
  email_verified_at === null ? null : name;

/**
 * Uses up a mailed token. First, the account's orders under its earlier emails move to the new one, and earlier guest
 * orders with the new one are assigned to the account. Then one transaction uses up the token, marks the email as verified and applies `change`.
 *
 * @param change returns the changed customer, and further writes for the transaction
 * @throws AppError `validation_failed` on `token` when it was used meanwhile or is no longer valid
 */
export async function useProof(
  { token, proof, now }: { token: string; proof: Proof; now: Date },
  { table }: Shop<"table">,
  change: (customer: Customer) => { customer: Customer; writes: readonly Write[] },
): Promise<Customer> {
  const read = () => openCustomers(table).find(proof.subject);
  const spend = spendProof(token);
  return retryOnConflict(await read(), read, async (before) => {
    if (!before || !stillHolds(proof, before)) throw linkIsDead();
    const { customer, writes } = change(before);
    const after = withVerifiedEmail(customer, now);
    // Orders change before the transaction: if that fails, the link still works, and changing them again does no harm.
    await followEmail(table, before);
    await joinGuestOrders(table, before);
    await table.transact([
      { write: spend, refused: linkIsDead },
      replaceCustomer(before, after),
      // The account forgets its earlier emails here, and could not remove their proofs later.
      ...before.earlier_emails.map(removeEmailProof),
      ...writes,
    ]);
    return after;
  });
}

/** A link is valid only for the address it was mailed to, and a new password invalidates earlier reset links. */
function stillHolds(proof: Proof, customer: Customer): boolean {
  return (
    customer.status === "active" &&
    customer.email === proof.email &&
    (proof.purpose !== "reset_password" || customer.session_epoch === proof.epoch)
  );
}

/** Returns the customer. Throws AppError `unauthenticated` if the account was deleted during the request. */
export function requireCustomer(customer: Customer | undefined): Customer {
  if (!customer) throw new AppError("unauthenticated");
  return customer;
}
