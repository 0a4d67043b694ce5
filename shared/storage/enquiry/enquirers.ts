import * as z from "zod";
import { present } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove, unlessRefused, update } from "../writes.ts";

interface Enquiry {
  readonly id: string;
  readonly email: string | null;
}

/** The leads and quotes of an email. */
export const EnquiriesOfEmail = entity({
  name: "enquiry_of_email",
  notExported: "derived",
  schema: z.object({
    id: z.string(),
    /** Whether somebody has opened a link that was mailed to the email. */
    link_opened: z.boolean().optional(),
  }),
  key: ({ email, id }: { email: string; id: string }) => ({ pk: enquiriesOf(email), sk: id }),
});

export const enquiriesOf = (email: string) => `ENQUIRER#${email}`;

/**
 * Notes that a mailed link of a quote was opened, which proves that the mail has arrived. The note ends with the quote's
 * email.
 */
export async function noteOpenedLink(
  table: Pick<Table, "get" | "write">,
  { id, email }: Enquiry,
): Promise<void> {
  if (email === null) return;
  const row = await table.get(EnquiriesOfEmail, { email, id });
  if (!row || row.link_opened) return;
  const set = { link_opened: true };
  await unlessRefused(table.write(update(EnquiriesOfEmail, { email, id }, { set }, present("pk"))));
}

/** Whether a mailed link of one of the last quotes of an email was opened. */
export async function wasLinkOpened(table: Pick<Table, "query">, email: string): Promise<boolean> {
  const { records } = await table.query(EnquiriesOfEmail, {
    partition: enquiriesOf(email),
    prefix: "qte_",
    newestFirst: true,
    limit: 100,
  });
  return records.some(({ link_opened }) => link_opened === true);
}

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
