import * as z from "zod";
import { erasedLead, erasedQuote } from "../domain/erased-enquiry.ts";
import type { StoredLead } from "../domain/lead.ts";
import type { StoredQuote } from "../domain/quote.ts";
import { is } from "./conditions.ts";
import { EnquiriesOfEmail, enquiriesOf, leadKey } from "./enquirers.ts";
import { type Entity, entity } from "./entity.ts";
import { onFresh } from "./on-fresh.ts";
import { isOrdered, quoteKey } from "./quote-standings.ts";
import type { Table } from "./table.ts";
import { letGoUploads } from "./upload-holds.ts";
import { type Write, remove, update } from "./writes.ts";

const enquiry = {
  id: z.string(),
  email: z.string().nullable(),
  source: z.custom<StoredLead["source"]>(),
  version: z.int(),
};

/** The rows as erasing knows them: all that they say would weigh on whoever signs in. */
const LeadRows = entity({ name: "lead", schema: z.object(enquiry), key: leadKey });
const QuoteRows = entity({
  name: "quote",
  schema: z.object({
    ...enquiry,
    status: z.string(),
    order_id: z.string().nullable(),
    items: z.custom<StoredQuote["items"]>(),
    upload_ids: z.array(z.string()),
  }),
  key: quoteKey,
});

const atOnce = 10;

/**
 * Takes the person off all leads and quotes of an email. A quote that an order was placed by stays as that order does.
 * May be repeated: each is found under the email until it says no longer whose it was.
 */
export async function eraseEnquiries(table: Table, email: string, now: Date): Promise<void> {
  const range = { partition: enquiriesOf(email), limit: atOnce };
  const erase = ({ id }: { id: string }) =>
    id.startsWith("lead_")
      ? eraseOne(table, LeadRows, { id, email }, async (lead) => ({ set: erasedLead(lead, now) }))
      : eraseOne(table, QuoteRows, { id, email }, async (quote) => {
          if (await isOrdered(table, quote)) return undefined;
          const further = await letGoUploads(table, quote.upload_ids, now);
          return { set: erasedQuote(quote, now), further };
        });
  let after: Record<string, unknown> | undefined;
  do {
    const { records, next } = await table.query(EnquiriesOfEmail, { ...range, after });
    await Promise.all(records.map(erase));
    after = next;
  } while (after);
}

interface Erasure {
  readonly set: Record<string, unknown>;
  readonly further?: readonly Write[];
}

async function eraseOne<Schema extends z.ZodObject<typeof enquiry>>(
  table: Table,
  of: Entity<Schema, { id: string }>,
  { id, email }: { id: string; email: string },
  erasureOf: (record: z.output<Schema>) => Promise<Erasure | undefined>,
): Promise<void> {
  const read = () => table.get(of, { id });
  await onFresh(await read(), read, async (record) => {
    // Staff may have corrected the email meanwhile.
    if (record?.email !== email) return;
    const erasure = await erasureOf(record);
    if (!erasure) return;
    const { set, further = [] } = erasure;
    const { pk, sk } = of.key({ id });
    // The notes first, as nothing leads to them afterwards; one that is added meanwhile makes this a new version.
    await table.clear(pk, { except: [sk] });
    await table.transact([
      update(of, { id }, { set, add: { version: 1 } }, is("version", record.version)),
      remove(EnquiriesOfEmail, { email, id }),
      ...further,
    ]);
  });
}
