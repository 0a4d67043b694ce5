import type { InternationalPhone } from "../../domain/contact/international-phone.ts";
import { PhoneProof } from "../../domain/customer/phone-proof.ts";
import { accountPhone } from "../../domain/inbox/whatsapp-number.ts";
import { present } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove, update } from "../writes.ts";

interface PhoneProofId {
  readonly number: InternationalPhone;
  readonly customer_id: string;
}

/** The codes that customers with a phone number have to send from it. */
export const PhoneProofs = entity({
  name: "phone_proof",
  notExported: "credential",
  schema: PhoneProof,
  key: ({ number, customer_id }: PhoneProofId) => ({
    pk: `PHONEPROOF#${accountPhone(number)}`,
    sk: customer_id,
  }),
  ttl: ({ expires_at }) => Math.ceil(Date.parse(expires_at) / 1000),
});

/** Stores a customer's code in place of an earlier one. Include `requirePhone` in the same transaction. */
export const keepPhoneProof = (number: InternationalPhone, proof: PhoneProof): Write =>
  put(PhoneProofs, { number, ...proof });

/** Removes a customer's code, if there is one. */
export const dropPhoneProof = (id: PhoneProofId): Write => remove(PhoneProofs, id);

/** Uses up a code. The write is refused if it was used meanwhile, or if the phone has changed. */
export const spendPhoneProof = (id: PhoneProofId): Write => remove(PhoneProofs, id, present("pk"));

/** Counts wrong codes. The write is refused if the code is gone. */
export const countWrongCodes = (id: PhoneProofId, by: number): Write =>
  update(PhoneProofs, id, { add: { tries: by } }, present("pk"));

/** More than the rate limit of a number allows while codes are valid. */
const mostProofs = 12;

/** The codes that may arrive from a number. Expired ones are included. */
export async function phoneProofsOf(
  table: Pick<Table, "page">,
  number: InternationalPhone,
): Promise<PhoneProof[]> {
  const { pk: partition } = PhoneProofs.key({ number, customer_id: "" });
  const { records } = await table.page(
    PhoneProofs,
    { partition, prefix: "cus_" },
    { limit: mostProofs },
  );
  return records;
}
