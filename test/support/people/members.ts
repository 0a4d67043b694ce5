import {
  type PublicCustomer,
  type Customer,
  newCustomer,
} from "#shared/domain/customer/customer.ts";
import type { CartMerge } from "#shared/domain/cart/cart-merge.ts";
import { type Client, type Reply, clientOf } from "../http/client.ts";
import type { Problem } from "../http/answers.ts";
import { type Data, aPerson } from "../shop/shopping.ts";
import type { Inbox } from "../emulators/inbox.ts";
import { newId } from "#shared/domain/base/ids.ts";

export interface SignedInAnswer {
  token: string;
  token_type: string;
  expires_at: string;
  customer: PublicCustomer;
  merge?: CartMerge;
}

/** A new customer who registered over HTTP. */
export interface Member {
  readonly client: Client;
  readonly id: string;
  readonly email: string;
  readonly phone: string;
  readonly headers: { readonly authorization: string };
  readonly answer: SignedInAnswer;
}

/** The body of a new address. */
export const anAddress = {
  label: "Home",
  name: "Ravi Iyer",
  phone: "+919812345678",
  line1: "4 Church Street",
  city: "Bengaluru",
  state: "Karnataka",
  postal_code: "560001",
  country: "IN",
};

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export type AuthReply = Reply<Data<SignedInAnswer> & Problem>;

/** @param overrides members of the body; @param headers such as a guest's `X-Cart-Token` */
export async function aMember(
  baseUrl: string,
  overrides: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Member> {
  const client = clientOf(baseUrl);
  const person = { ...aPerson(), ...overrides };
  const body = { name: "Ravi Iyer", password: aPassword, ...person };
  const made: AuthReply = await client.post("/auth/register", body, headers);
  if (made.status !== 201) throw new Error(made.text);
  const { token, customer } = made.body.data;
  return {
    client,
    id: customer.id,
    email: customer.email,
    phone: person.phone,
    headers: bearer(token),
    answer: made.body.data,
  };
}

/** Signs in from a new IP address. */
export function logIn(
  baseUrl: string,
  email: string,
  password: string = aPassword,
  headers: Record<string, string> = {},
): Promise<AuthReply> {
  return clientOf(baseUrl).post("/auth/login", { email, password }, headers);
}

/** The status of a guarded route's response to these headers. */
export async function statusOfToken(baseUrl: string, headers: Record<string, string>) {
  return (await clientOf(baseUrl).get("/auth/me", headers)).status;
}

const link = /\/verify-email\?token=([\w-]{43})/;

/** A customer with a verified email. */
export async function aVerifiedMember(
  { baseUrl, inbox }: { baseUrl: string; inbox: Inbox },
  overrides: Record<string, unknown> = {},
): Promise<Member> {
  const member = await aMember(baseUrl, overrides);
  await verifyEmail(member, inbox);
  return member;
}

/** The customer opens the link that was mailed to verify the email. */
export async function verifyEmail(
  { client, email, headers }: Pick<Member, "client" | "email" | "headers">,
  inbox: Inbox,
): Promise<void> {
  const mail = await inbox.waitFor(email, ({ body }) => link.test(body.text));
  const token = link.exec(mail.body.text)?.[1];
  const { status, text } = await client.post("/auth/verify-email", { token }, headers);
  if (status !== 200) throw new Error(text);
}

/**
 * The customer deletes the account.
 *
 * @returns the response's status
 */
export async function deleteAccount(
  { client, headers }: Member,
  password: string,
): Promise<number> {
  const reply = await client.send("DELETE", "/api/v1/account", {
    body: JSON.stringify({ password }),
    headers: { ...headers, "content-type": "application/json" },
  });
  return reply.status;
}

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
