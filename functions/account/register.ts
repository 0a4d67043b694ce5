import { mailLink } from "#shared/application/identity/mailed-links.ts";
import { hashNewPassword } from "#shared/auth/new-password.ts";
import { RegisterInput, newCustomer } from "#shared/domain/customer/customer.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { anyone, route } from "#shared/http/route.ts";
import { locationHeaders } from "#shared/domain/request/api-path.ts";
import { addCustomer, claimEmail, movePhone } from "#shared/storage/customer/customers.ts";
import { CartHeaders, SignedIn, signedIn, startSession } from "./auth-answer.ts";
import { linkFor } from "./mailed-proof.ts";
import type { Deps } from "./deps.ts";
import { mergingCart } from "./merge-cart.ts";

export const emailTaken = () => invalidField("email", "The email has already been taken.");

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
  first: ({ body }, { customers }: Deps) => customers.findByEmail(body.email),
  async handle({ body, headers, first, ip, now }, deps) {
    if (first) throw emailTaken();
    const [password_hash, { store }] = await Promise.all([
      hashNewPassword(body.password, body.email),
      deps.settings.current(),
    ]);
    const id = newId("cus", now);
    const customer = newCustomer(body, { id, password_hash, locale: store.locale, now });
    const session = await startSession(customer, deps, { ip, now });
    const account = [
      { write: claimEmail(customer), refused: emailTaken },
      addCustomer(customer),
      ...movePhone(undefined, customer, store.country),
      ...session.writes,
      ...mailLink("verify_email", linkFor(customer), deps, now),
    ];
    const call = { cartToken: headers["x-cart-token"], customer: id, now };
    const merge = await mergingCart(call, deps, (writes) =>
      deps.table.transact([...account, ...writes]),
    );
    return {
      data: signedIn(session, customer, merge),
      version: customer.version,
      headers: locationHeaders("/auth/me", false),
    };
  },
});

export const routes = [register];
