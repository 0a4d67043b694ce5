import * as z from "zod";
import { entity } from "../entity.ts";
import { type Write, put, remove } from "../writes.ts";

interface Enquiry {
  readonly id: string;
  readonly email: string | null;
}

/** The leads and quotes of an email. */
export const EnquiriesOfEmail = entity({
  name: "enquiry_of_email",
  notExported: "derived",
  schema: z.object({ id: z.string() }),
  key: ({ email, id }: { email: string; id: string }) => ({ pk: enquiriesOf(email), sk: id }),
});

export const enquiriesOf = (email: string) => `ENQUIRER#${email}`;

/**
 * Updates the lookup of a lead or quote by its email.
 *
 * @param before undefined for a new lead or quote
 */
export function followEmail(before: Enquiry | undefined, { id, email: is }: Enquiry): Write[] {
  const was = before?.email ?? null;
  if (was === is) return [];
  return [
    ...(was === null ? [] : [remove(EnquiriesOfEmail, { email: was, id })]),
    ...(is === null ? [] : [put(EnquiriesOfEmail, { email: is, id })]),
  ];
}
