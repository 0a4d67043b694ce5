import { openCustomers } from "#shared/storage/customer/customers.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import * as z from "zod";
import { changePreferences, changeProfile } from "#shared/application/customer/customer-account.ts";
import { askForPhoneProof } from "#shared/application/customer/prove-phone.ts";
import { requireAccount } from "#shared/application/identity/account.ts";
import { requirePassword } from "#shared/application/identity/check-credentials.ts";
import {
  DeleteAccountInput,
  Preferences,
  ProfileInput,
  PublicCustomer,
} from "#shared/domain/customer/customer.ts";
import { PhoneProofCode } from "#shared/domain/customer/phone-proof.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { customerId } from "#shared/domain/request/identity.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { customer, route } from "#shared/http/route.ts";
import { eraseCustomer } from "#shared/storage/customer/erase-customer.ts";

type ProfileShop = Shop<"table" | "randomBytes" | "rates" | "settings", CommerceGroup>;

const form = editForm(ProfileInput, PublicCustomer);
const WriteHeaders = z.object({ "if-match": IfMatch });

export const replaceProfile = route({
  method: "PUT",
  path: "/account/profile",
  summary: "Update name, phone, email or password",
  description:
    "A new email or password requires the current password. A new email must be verified " +
    "again; both addresses are notified. A new password ends every other session. Common and " +
    "leaked passwords are refused.",
  access: customer,
  request: {
    headers: WriteHeaders,
    body: form.put.meta({
      example: {
        name: "Asha Rao",
        phone: "+919812345678",
        email: "asha.rao@example.com",
        current_password: "a long enough password",
      },
    }),
  },
  response: { status: 200, data: PublicCustomer },
  errors: ["version_mismatch", "too_many_requests"],
  first: ({ actor }, { table }: ProfileShop) => openCustomers(table).find(customerId(actor)),
  async handle({ actor, body, headers, first, now }, shop) {
    const found = requireAccount(first);
    const call = { body: form.replaced(body, found), actor, headers, now };
    const saved = await changeProfile(call, found, shop);
    return { data: saved, version: saved.version };
  },
});

export const replacePreferences = route({
  method: "PUT",
  path: "/account/preferences",
  summary: "Update language, currency and marketing preferences",
  description: "Refuses locales and currencies that the store does not list.",
  access: customer,
  request: {
    headers: WriteHeaders,
    body: Preferences.meta({
      example: { locale: "en-IN", currency: "INR", newsletter: false, whatsapp_updates: true },
    }),
  },
  response: { status: 200, data: PublicCustomer },
  errors: ["version_mismatch"],
  first: ({ actor }, { table, settings }: Shop<"table" | "settings", CommerceGroup>) =>
    Promise.all([openCustomers(table).find(customerId(actor)), settings.current()]),
  async handle({ body, headers, first: [customer, { store }], now }, shop) {
    const found = requireAccount(customer);
    const saved = await changePreferences({ body, headers, now }, { found, store }, shop);
    return { data: saved, version: saved.version };
  },
});

export const provePhone = route({
  method: "POST",
  path: "/account/phone/proof",
  summary: "Prove the phone number",
  description:
    "Returns a code to send to the store by WhatsApp, from the phone of the profile. Its arrival sets " +
    "`phone_verified_at`. After five wrong codes from the phone, ask for another.",
  access: customer,
  request: {},
  response: { status: 200, data: PhoneProofCode },
  errors: ["validation_failed", "too_many_requests"],
  first: ({ actor }, { table, settings }: ProfileShop) =>
    Promise.all([openCustomers(table).find(customerId(actor)), settings.current()]),
  async handle({ first: [customer, { store }], now }, shop) {
    return { data: await askForPhoneProof(requireAccount(customer), store, shop, now) };
  },
});

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
    const found = requireAccount(first);
    const attempt = { guard: "customer", rates: shop.rates, now } as const;
    const [{ store }] = await Promise.all([
      shop.settings.current(),
      requirePassword(body.password, "password", found, attempt),
    ]);
    await eraseCustomer(shop.table, found, { country: store.country, now });
  },
});

export const routes = [replaceProfile, replacePreferences, provePhone, deleteAccount];
