import type { Shop } from "#shared/application/shop.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { change } from "#shared/application/edit.ts";
import { requireAccount } from "#shared/application/identity/account.ts";
import { admit } from "#shared/auth/rate-limit.ts";
import {
  type InternationalPhone,
  internationalPhone,
} from "#shared/domain/contact/international-phone.ts";
import { type CustomerRecord, withProvenPhone } from "#shared/domain/customer/admin-customer.ts";
import type { Customer } from "#shared/domain/customer/customer.ts";
import {
  type PhoneProof,
  type PhoneProofCode,
  afterCodes,
  codesIn,
  newPhoneProof,
  proofLink,
} from "#shared/domain/customer/phone-proof.ts";
import type { Received } from "#shared/domain/inbox/message.ts";
import type { WhatsAppNumber } from "#shared/domain/inbox/whatsapp-number.ts";
import {
  type ExpectedVersion,
  invalidField,
  orNotFound,
} from "#shared/domain/request/app-error.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import {
  openCustomers,
  markPhoneProven,
  replaceCustomer,
  requirePhone,
} from "#shared/storage/customer/customers.ts";
import {
  countWrongCodes,
  keepPhoneProof,
  phoneProofsOf,
  spendPhoneProof,
} from "#shared/storage/customer/phone-proofs.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";
import { readCustomer } from "./patch-customer.ts";

const noPhone = () => invalidField("phone", "Add a phone number to the profile first.");

/**
 * Gives a customer a code to send from the phone of the profile. An earlier code ends.
 *
 * @param found the customer, as the request has read it
 * @throws AppError `validation_failed` without a phone, `too_many_requests`
 */
export async function askForPhoneProof(
  found: Customer,
  { country, contact }: Pick<StoreSettings, "country" | "contact">,
  { table, rates, randomBytes }: Shop<"table" | "randomBytes" | "rates">,
  now: Date,
): Promise<PhoneProofCode> {
  await admit(rates, "account_phone_proof", found.id, now);
  const readAgain = async () => requireAccount(await openCustomers(table).find(found.id));
  return retryOnConflict(found, readAgain, async ({ id, phone }) => {
    if (phone === null) throw noPhone();
    const number = internationalPhone(phone, country);
    await admit(rates, "phone_proof", number, now);
    const { proof, code } = newPhoneProof({ id, phone }, randomBytes(6), now);
    await table.transact([keepPhoneProof(number, proof), requirePhone({ id, phone })]);
    const { whatsapp } = contact;
    const whatsapp_url = whatsapp && proofLink(internationalPhone(whatsapp, country), code);
    return { code, expires_at: proof.expires_at, whatsapp_url };
  });
}

/** The codes that messages of one sender contain. */
export const proofCodesOf = (messages: readonly Pick<Received, "kind" | "text">[]): string[] =>
  messages.flatMap(({ kind, text }) => (kind === "text" ? codesIn(text) : []));

/**
 * The writes that a number's messages cause to the codes that customers have to send from it. Include them in the
 * transaction that stores the messages, so that each message counts once.
 *
 * @param codes of messages that are not stored yet
 */
export async function proofWrites(
  table: Pick<Table, "page">,
  phone: WhatsAppNumber,
  codes: readonly string[],
  now: Date,
): Promise<Write[]> {
  if (codes.length === 0) return [];
  // WhatsApp's numbers are international.
  const number = phone as InternationalPhone;
  const proofs = await phoneProofsOf(table, number);
  return proofs.flatMap((proof) => writesOf(number, proof, codes, now));
}

function writesOf(
  number: InternationalPhone,
  proof: PhoneProof,
  codes: readonly string[],
  now: Date,
): Write[] {
  const { customer_id, phone, tries } = proof;
  const id = { number, customer_id };
  const after = afterCodes(proof, codes, now);
  if (after === "proven") {
    return [spendPhoneProof(id), markPhoneProven({ id: customer_id, phone }, now)];
  }
  return after === tries ? [] : [countWrongCodes(id, after - tries)];
}

/**
 * Marks a customer's phone as proven, because staff confirmed it in a call.
 *
 * @param first the customer, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `validation_failed` without a phone
 */
export async function confirmPhone(
  call: AuditedCall & {
    readonly params: { readonly id: string };
    readonly headers: { readonly "if-match"?: ExpectedVersion };
  },
  first: CustomerRecord | undefined,
  table: Table,
): Promise<CustomerRecord> {
  const { params, headers, now } = call;
  let record = first;
  const readAgain = async () => (record = await readCustomer(table, params.id))?.customer;
  const customer = await change(record?.customer, readAgain, headers["if-match"], {
    change(before) {
      if (before.phone === null) throw noPhone();
      return withProvenPhone(before, now);
    },
    save: (before, after) =>
      table.transact([
        replaceCustomer(before, after),
        recordActivity(
          auditContextOf(call),
          "customer.confirm_phone",
          { kind: "customer", id: after.id, label: after.name },
          { before, after },
        ),
      ]),
  });
  return { ...orNotFound(record), customer };
}
