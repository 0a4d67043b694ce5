import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  type SignedInCustomer,
  logInCustomer,
  registerCustomer,
} from "#shared/application/customer/register-customer.ts";
import { emailTaken, requireAccount } from "#shared/application/identity/account.ts";
import { signOut } from "#shared/application/identity/end-session.ts";
import { CartToken } from "#shared/auth/opaque-tokens.ts";
import { Timestamp } from "#shared/domain/base/text.ts";
import { CartMerge } from "#shared/domain/cart/cart-merge.ts";
import { LoginInput } from "#shared/domain/customer/credentials.ts";
import { PublicCustomer, RegisterInput } from "#shared/domain/customer/customer.ts";
import { locationHeaders } from "#shared/domain/request/api-path.ts";
import { customerId } from "#shared/domain/request/identity.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { anyone, customer, route } from "#shared/http/route.ts";
import { openCustomers } from "#shared/storage/customer/customers.ts";

/** Response of login and registration. */
const SignedIn = z
  .object({
    token: z.string().meta({ description: "Send it as `Authorization: Bearer …`" }),
    token_type: z.literal("Bearer"),
    expires_at: Timestamp,
    customer: PublicCustomer,
    merge: CartMerge.optional().meta({
      description: "Present only if the request named a guest's cart",
    }),
  })
  .meta({ id: "SignedIn" });
type SignedIn = z.output<typeof SignedIn>;

/** Header naming the guest's cart that is merged into the customer's cart. */
const CartHeaders = z.object({ "x-cart-token": CartToken.optional() });

const signedIn = ({ session, customer, merge }: SignedInCustomer): SignedIn => ({
  token: session.token,
  token_type: "Bearer",
  expires_at: session.expires_at,
  customer,
  ...(merge && { merge }),
});

export const register = route({
  method: "POST",
  path: "/auth/register",
  summary: "Create an account",
  description:
    "Signs the customer in and mails a verification link. A guest's cart named by " +
    "`X-Cart-Token` becomes the customer's; `merge` reports what happened to its lines. " +
    "Common and leaked passwords are refused.",
  access: anyone,
  limit: "register",
  request: {
    headers: CartHeaders,
    body: RegisterInput.meta({
      example: {
        name: "Asha Rao",
        email: "asha@example.com",
        password: "a long enough password",
        phone: "+919812345678",
        marketing_opt_in: true,
      },
    }),
  },
  response: { status: 201, data: SignedIn, headers: ["ETag"] },
  // This read only gives an early error. The transaction checks again whether the email is taken.
  first: (
    { body },
    { table }: Shop<"table" | "customerKeys" | "randomBytes" | "settings", CommerceGroup>,
  ) => openCustomers(table).findByEmail(body.email),
  async handle({ body, headers, first, ip, now }, shop) {
    if (first) throw emailTaken();
    const cartToken = headers["x-cart-token"];
    const made = await registerCustomer({ body, ip, now, cartToken }, shop);
    return {
      data: signedIn(made),
      version: made.customer.version,
      headers: locationHeaders("/auth/me", false),
    };
  },
});

export const logIn = route({
  method: "POST",
  path: "/auth/login",
  summary: "Sign in",
  description:
    "A wrong password and an unknown email get the same response with the same timing. Failed " +
    "logins are limited per IP address, and per account and IP address. After many failures an " +
    "account accepts logins only from IP addresses of earlier logins. A completed password reset " +
    "lifts the limits of the account. A guest's cart named by `X-Cart-Token` is merged into the customer's " +
    "cart, once.",
  access: anyone,
  limit: "login",
  parsesEarly: true,
  request: {
    headers: CartHeaders,
    body: LoginInput.meta({
      example: { email: "asha@example.com", password: "a long enough password" },
    }),
  },
  response: { status: 200, data: SignedIn, headers: ["ETag"] },
  first: (
    { body },
    { table }: Shop<"table" | "customerKeys" | "randomBytes" | "rates" | "settings", CommerceGroup>,
  ) => openCustomers(table).findEmail(body.email),
  async handle({ body, headers, first: claim, ip, now, admission }, shop) {
    const cartToken = headers["x-cart-token"];
    const call = { body, claim, ip, now, cartToken, admission };
    const made = await logInCustomer(call, shop);
    return { data: signedIn(made), version: made.customer.version };
  },
});

export const logOut = route({
  method: "POST",
  path: "/auth/logout",
  summary: "Sign out",
  description: "The token stops working immediately. Other sessions continue.",
  access: customer,
  request: {},
  response: { status: 204 },
  handle: (call, shop: Shop<"table">) => signOut(call, shop),
});

export const getMe = route({
  method: "GET",
  path: "/auth/me",
  summary: "Get the signed-in customer",
  description: "Use it to check a stored token: 401 means that the session has ended.",
  access: customer,
  request: {},
  response: { status: 200, data: PublicCustomer },
  first: ({ actor }, { table }: Shop<"table">) => openCustomers(table).find(customerId(actor)),
  async handle({ first }) {
    const found = requireAccount(first);
    return { data: found, version: found.version };
  },
});

export const routes = [register, logIn, logOut, getMe];
