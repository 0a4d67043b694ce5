import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { moveName } from "#shared/storage/customer/customer-names.ts";
import { mergingCart } from "#shared/application/cart/merge-cart.ts";
import { addresseeOf, emailTaken } from "#shared/application/identity/account.ts";
import { requireCredentials } from "#shared/application/identity/check-credentials.ts";
import { mailLink } from "#shared/application/identity/mail-link.ts";
import { signIn } from "#shared/application/identity/sign-in.ts";
import { hashNewPassword } from "#shared/auth/passwords.ts";
import type { Admission } from "#shared/auth/rate-limit.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { CartMerge } from "#shared/domain/cart/cart-merge.ts";
import type { LoginInput } from "#shared/domain/customer/credentials.ts";
import {
  type Customer,
  type RegisterInput,
  newCustomer,
} from "#shared/domain/customer/customer.ts";
import {
  openCustomers,
  addCustomer,
  claimEmail,
  movePhone,
} from "#shared/storage/customer/customers.ts";
import { uncount } from "#shared/storage/rate-counters.ts";
import { customerAccounts } from "./customer-account.ts";

interface SigningIn {
  readonly ip: string;
  readonly now: Date;
  /** The header `X-Cart-Token`. */
  readonly cartToken: string | undefined;
}

export interface SignedInCustomer {
  readonly session: Awaited<ReturnType<typeof startSession>>;
  readonly customer: Customer;
  /** Undefined if the request named no guest's cart. */
  readonly merge: CartMerge | undefined;
}

/**
 * Creates an account, signs its customer in and mails the verification link, in one transaction with the merge of the
 * guest's cart.
 *
 * @throws AppError `validation_failed` on `email` or `password`
 */
export async function registerCustomer(
  { body, cartToken, ip, now }: SigningIn & { readonly body: RegisterInput },
  shop: Shop<"table" | "customerKeys" | "randomBytes" | "settings", CommerceGroup>,
): Promise<SignedInCustomer> {
  const [password_hash, { store }] = await Promise.all([
    hashNewPassword(body.password, body.email),
    shop.settings.current(),
  ]);
  const id = newId("cus", now);
  const customer = newCustomer(body, { id, password_hash, locale: store.locale, now });
  const session = await startSession(customer, shop, { ip, now });
  const account = [
    { write: claimEmail(customer), refused: emailTaken },
    addCustomer(customer),
    ...movePhone(undefined, customer, store.country),
    ...moveName(undefined, customer),
    ...session.writes,
    ...mailLink("verify_email", addresseeOf(customerAccounts, customer), shop, now),
  ];
  const call = { cartToken, customer: id, now };
  const merge = await mergingCart(call, shop, (writes) =>
    shop.table.transact([...account, ...writes]),
  );
  return { session, customer, merge };
}

interface LoggingIn extends SigningIn {
  readonly body: LoginInput;
  /** The claim of the email in the request. */
  readonly claim: Parameters<typeof requireCredentials>[1]["claim"];
  /** The count of the request against the limit of its IP address. */
  readonly admission: Admission | undefined;
}

/**
 * Signs a customer in, in one transaction with the merge of the guest's cart. The transaction also takes the login out of
 * the counters of failed logins.
 *
 * @throws AppError `unauthenticated` for wrong credentials, `too_many_requests`
 */
export async function logInCustomer(
  { body, claim, cartToken, ip, now, admission: ofAddress }: LoggingIn,
  shop: Shop<"table" | "customerKeys" | "randomBytes" | "rates" | "settings", CommerceGroup>,
): Promise<SignedInCustomer> {
  const { rates, table } = shop;
  const attempt = { guard: "customer", ip, rates, table, now } as const;
  const { account: customer, admission: ofAccount } = await requireCredentials(
    body,
    { claim, find: openCustomers(table).find },
    attempt,
  );
  const session = await startSession(customer, shop, { ip, now });
  const call = { cartToken, customer: customer.id, now };
  const counters = [...ofAccount.counters, ...(ofAddress?.takeCounters() ?? [])];
  const login = [...session.writes, ...uncount(counters)];
  const merge = await mergingCart(call, shop, (writes) => table.transact([...login, ...writes]));
  return { session, customer, merge };
}

function startSession(
  { id, session_epoch }: Pick<Customer, "id" | "session_epoch">,
  { customerKeys: keys }: Shop<"customerKeys">,
  { ip, now }: { ip: string; now: Date },
) {
  const who = { guard: "customer", subject: id, epoch: session_epoch, role: null } as const;
  return signIn(who, keys, { ip, now });
}
