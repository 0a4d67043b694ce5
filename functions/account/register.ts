import { openCustomers } from "#shared/storage/customer/customers.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { emailTaken, registerCustomer } from "#shared/application/customer/register-customer.ts";
import { RegisterInput } from "#shared/domain/customer/customer.ts";
import { locationHeaders } from "#shared/domain/request/api-path.ts";
import { anyone, route } from "#shared/http/route.ts";
import { CartHeaders, SignedIn, signedIn } from "./auth-answer.ts";

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
    const { session, customer, merge } = await registerCustomer(
      { body, ip, now, cartToken: headers["x-cart-token"] },
      shop,
    );
    return {
      data: signedIn(session, customer, merge),
      version: customer.version,
      headers: locationHeaders("/auth/me", false),
    };
  },
});

export const routes = [register];
