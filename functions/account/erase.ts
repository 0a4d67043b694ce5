import { openCustomers } from "#shared/storage/customer/customers.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { requirePassword } from "#shared/application/identity/check-credentials.ts";
import { DeleteAccountInput } from "#shared/domain/customer/customer.ts";
import { customer, route } from "#shared/http/route.ts";
import { eraseCustomer } from "#shared/storage/customer/erase-customer.ts";
import { customerId } from "#shared/domain/request/identity.ts";
import { requireCustomer } from "#shared/application/customer/use-mailed-proof.ts";

export const deleteAccount = route({
  method: "DELETE",
  path: "/account",
  summary: "Delete the account",
  description:
    "Erases the profile, addresses, wishlist, cart and sessions. Orders are kept, as the law " +
    "requires, but no longer belong to an account. If the phone is verified, its WhatsApp conversation " +
    "loses the name, the links to other records, and the files that the customer sent. If the email is verified, leads and quotes with that email lose name, email, " +
    "phone, postal code, notes and all free text, and the mailed links of the quotes stop " +
    "working. A quote that was ordered is kept with its order.",
  access: customer,
  request: { body: DeleteAccountInput.meta({ example: { password: "a long enough password" } }) },
  response: { status: 204 },
  errors: ["too_many_requests"],
  first: ({ actor }, { table }: Shop<"table" | "rates" | "settings", CommerceGroup>) =>
    openCustomers(table).find(customerId(actor)),
  async handle({ body, first, now }, shop) {
    const found = requireCustomer(first);
    const attempt = { guard: "customer", rates: shop.rates, now } as const;
    const [{ store }] = await Promise.all([
      shop.settings.current(),
      requirePassword(body.password, "password", found, attempt),
    ]);
    await eraseCustomer(shop.table, found, { country: store.country, now });
  },
});

export const routes = [deleteAccount];
