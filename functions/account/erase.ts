import { requirePassword } from "#shared/application/identity/credentials.ts";
import { DeleteAccountInput } from "#shared/domain/customer/customer.ts";
import { customer, route } from "#shared/http/route.ts";
import { eraseCustomer } from "#shared/storage/customer/erase-customer.ts";
import { customerId, stillThere } from "./caller.ts";
import type { Deps } from "./deps.ts";

export const deleteAccount = route({
  method: "DELETE",
  path: "/account",
  summary: "Delete the account",
  description:
    "Profile, addresses, wishlist, cart and sessions are erased. Orders stay, as the law asks, but belong to no account. " +
    "WhatsApp conversations by the phone numbers of orders that were paid for or sent out lose the name, what they " +
    "were linked to, and the files that the customer sent. If the email is proven, its leads and quotes lose name, email, phone, postal code, notes and what " +
    "was written freely, and the links of such quotes end; a quote that an order was placed by stays with it.",
  access: customer,
  request: { body: DeleteAccountInput.meta({ example: { password: "a long enough password" } }) },
  response: { status: 204 },
  errors: ["too_many_requests"],
  first: ({ actor }, { customers }: Deps) => customers.find(customerId(actor)),
  async handle({ body, first, now }, deps) {
    const found = stillThere(first);
    const attempt = { guard: "customer", rates: deps.rates, now } as const;
    const [{ store }] = await Promise.all([
      deps.settings.current(),
      requirePassword(body.password, "password", found, attempt),
    ]);
    await eraseCustomer(deps.table, found, { country: store.country, now });
  },
});

export const routes = [deleteAccount];
