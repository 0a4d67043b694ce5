import type { Shop } from "#shared/application/shop.ts";
import { newOpaqueToken } from "#shared/auth/opaque-tokens.ts";
import { type Customer, withNewsletter } from "#shared/domain/customer/customer.ts";
import {
  type Subscription,
  type SubscriptionRequest,
  confirmedSubscription,
  endedSubscription,
  requestedSubscription,
} from "#shared/domain/marketing/subscription.ts";
import { linkIsDead, mailLink, mailNobody } from "#shared/application/identity/mail-link.ts";
import { CustomerEmails, Customers, replaceCustomer } from "#shared/storage/customer/customers.ts";
import { type Proof, spendProof } from "#shared/storage/customer/proofs.ts";
import { Subscriptions, putSubscription } from "#shared/storage/marketing/subscriptions.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import type { Table } from "#shared/storage/table.ts";
import { is } from "#shared/storage/conditions.ts";
import { type Write, check } from "#shared/storage/writes.ts";

/**
 * The subject of links that confirm a newsletter subscription. Links that verify an account's email have another
 * subject.
 */
const newsletter = "newsletter";

/**
 * Requests the subscription of an address: mails a confirmation link, or subscribes the address at once if it is
 * proven. May be called repeatedly with the same request.
 *
 * @param options.isPublic writes the same number of rows whether or not a mail is sent, so that the timing does not
 * reveal who is subscribed
 * @param options.account id of the customer whose preferences request the subscription. If they no longer do, nothing is
 * stored
 */
export async function requestSubscription(
  request: SubscriptionRequest,
  { table, randomBytes }: Shop<"table" | "randomBytes">,
  { isPublic, account, now }: { isPublic: boolean; account?: string; now: Date },
): Promise<void> {
  const { email } = request;
  const read = () => table.get(Subscriptions, { email });
  await retryOnConflict(await read(), read, async (before) => {
    const customer =
      account === undefined ? undefined : await table.get(Customers, { id: account });
    if (account !== undefined && !(customer?.email === email && wantsMail(customer))) return;
    const { subscription, isLetterDue } = requestedSubscription(
      before,
      { ...request, isProven: request.isProven && (customer?.preferences.newsletter ?? true) },
      newOpaqueToken(randomBytes),
    );
    if (!isPublic && subscription === before) return;
    const { epoch, status } = subscription;
    const reader = { guard: "customer", subject: newsletter, email, name: null, epoch } as const;
    const letter = isLetterDue
      ? mailLink("confirm_subscription", reader, { randomBytes }, now)
      : isPublic
        ? mailNobody("confirm_subscription", reader, { randomBytes }, now)
        : [];
    const isJoining = status === "subscribed" && status !== before?.status;
    await table.transact([
      ...putSubscription(subscription, before),
      ...(customer
        ? [isJoining ? shownIn(customer, true, now) : unchanged(customer)]
        : isJoining
          ? await preferenceWrites(table, subscription, now)
          : []),
      ...letter,
    ]);
  });
}

const wantsMail = ({ preferences, marketing_opt_in }: Customer): boolean =>
  preferences.newsletter || marketing_opt_in;

const unchanged = ({ id, version }: Customer): Write =>
  check(Customers, { id }, is("version", version));

/** Shows in an account's preferences whether its email is subscribed. Refused if the account has changed. */
function shownIn(customer: Customer, isOn: boolean, now: Date): Write {
  const { preferences, marketing_opt_in } = customer;
  return preferences.newsletter === isOn && marketing_opt_in === isOn
    ? unchanged(customer)
    : replaceCustomer(customer, withNewsletter(customer, isOn, now));
}

/**
 * Subscribes the address of a confirmation link.
 *
 * @throws AppError `validation_failed` on `token` when the link was used or is no longer valid
 */
export async function confirmSubscription(
  token: string,
  proof: Proof,
  { table, now }: { table: Table; now: Date },
): Promise<void> {
  const read = () => table.get(Subscriptions, { email: proof.email });
  await retryOnConflict(await read(), read, async (before) => {
    if (proof.subject !== newsletter || before?.epoch !== proof.epoch) throw linkIsDead();
    const subscription = confirmedSubscription(before, now);
    await table.transact([
      { write: spendProof(token), refused: linkIsDead },
      ...putSubscription(subscription, before),
      ...(await preferenceWrites(table, subscription, now)),
    ]);
  });
}

/**
 * Unsubscribes an address, also in the preferences of its account. Does nothing if the address is not subscribed.
 *
 * @param isMeant whether to end the stored subscription; false if it is newer than the request to unsubscribe
 */
export async function endSubscription(
  email: string,
  { table, now }: { table: Table; now: Date },
  isMeant: (subscription: Subscription) => boolean = () => true,
): Promise<void> {
  const read = () => table.get(Subscriptions, { email });
  await retryOnConflict(await read(), read, async (before) => {
    if (!before || before.status === "unsubscribed" || !isMeant(before)) return;
    const subscription = endedSubscription(before, now);
    await table.transact([
      ...putSubscription(subscription, before),
      ...(await preferenceWrites(table, subscription, now)),
    ]);
  });
}

/**
 * The write that shows the subscription in the preferences of the address's account; none if they already show it. An
 * account whose email is not verified may be a stranger's, so it shows no subscription.
 */
export async function preferenceWrites(
  table: Table,
  { email, status }: Pick<Subscription, "email" | "status">,
  now: Date,
): Promise<Write[]> {
  const row = await table.get(CustomerEmails, { email });
  const customer = row && (await table.get(Customers, { id: row.customer_id }));
  const isOn = status === "subscribed";
  // The row was read before the customer, whose email may have changed since.
  if (customer?.email !== email || (isOn && customer.email_verified_at === null)) return [];
  const { preferences, marketing_opt_in } = customer;
  if (preferences.newsletter === isOn && marketing_opt_in === isOn) return [];
  return [replaceCustomer(customer, withNewsletter(customer, isOn, now))];
}
