import { openCustomers } from "#shared/storage/customer/customers.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { logInCustomer } from "#shared/application/customer/register-customer.ts";
import { signOut } from "#shared/application/identity/end-session.ts";
import { LoginInput } from "#shared/domain/customer/credentials.ts";
import { PublicCustomer } from "#shared/domain/customer/customer.ts";
import { customerId } from "#shared/domain/request/identity.ts";
import { anyone, customer, route } from "#shared/http/route.ts";
import { CartHeaders, SignedIn, signedIn } from "./auth-answer.ts";
import { requireCustomer } from "#shared/application/customer/use-mailed-proof.ts";

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
    const { session, customer, merge } = await logInCustomer(call, shop);
    return { data: signedIn(session, customer, merge), version: customer.version };
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
    const found = requireCustomer(first);
    return { data: found, version: found.version };
  },
});

export const routes = [logIn, logOut, getMe];
