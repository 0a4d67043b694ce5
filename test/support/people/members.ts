import type { PublicCustomer } from "#shared/domain/customer/customer.ts";
import type { CartMerge } from "#shared/domain/cart/cart-merge.ts";
import { type Client, type Reply, clientOf } from "../http/client.ts";
import { aPassword } from "./customers.ts";
import type { Problem } from "../http/problem.ts";
import { type Data, aPerson } from "../shop/shopping.ts";

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
