import type * as z from "zod";
import { erasedLead, erasedQuote } from "../../domain/enquiry/erased-enquiry.ts";
import { is } from "../conditions.ts";
import { EnquiriesOfEmail, enquiriesOf, enquirersOf } from "./enquirers.ts";
import { type Entity, type Projection, projection } from "../entity.ts";
import { followUpWrites } from "./follow-ups.ts";
import { Leads } from "./leads.ts";
import { retryOnConflict } from "../retry-on-conflict.ts";
import { currentQuote } from "./ordered-quotes.ts";
import { Quotes } from "./quotes.ts";
import type { Table } from "../table.ts";
import { releaseUploads } from "./upload-holds.ts";
import { type Write, remove, update } from "../writes.ts";

const enquiry = ["id", "email", "source", "version"] as const;
const ErasableLeads = projection(Leads, [...enquiry, "status", "follow_up_at"]);
const ErasableQuotes = projection(Quotes, [
  ...enquiry,
  "customer_id",
  "status",
  "order_id",
  "items",
  "upload_ids",
]);

const batchSize = 10;

/**
 * Anonymizes all leads and quotes of an email, or the quotes of an account. Quotes that were ordered are kept, because their orders are kept too.
 * May be repeated: each enquiry stays listed until it is anonymized.
 *
 * @param enquirer the email, or the id of the customer
 */
export async function eraseEnquiries(table: Table, enquirer: string, now: Date): Promise<void> {
  const range = { partition: enquiriesOf(enquirer) };
  const erase = ({ id }: { id: string }) =>
    id.startsWith("lead_")
      ? eraseOne(table, { id, enquirer }, { of: Leads, erasable: ErasableLeads }, async (lead) => {
          const set = erasedLead(lead, now);
          return { set, further: followUpWrites(lead, { ...lead, ...set }) };
        })
      : eraseOne(
          table,
          { id, enquirer },
          { of: Quotes, erasable: ErasableQuotes },
          async (quote) => {
            if ((await currentQuote(table, quote))?.status === "converted") return undefined;
            const further = await releaseUploads(table, quote.upload_ids, now);
            return { set: erasedQuote(quote, now), further };
          },
        );
  let after: Record<string, unknown> | undefined;
  do {
    const { records, next } = await table.page(EnquiriesOfEmail, range, {
      limit: batchSize,
      after,
    });
    await Promise.all(records.map(erase));
    after = next;
  } while (after);
}

interface Erasure {
  readonly set: Record<string, unknown>;
  readonly further?: readonly Write[];
}

/** What an erasure reads of every kind of enquiry. */
type Erased = z.ZodObject<Pick<(typeof ErasableLeads.schema)["shape"], (typeof enquiry)[number]>>;

/** A kind of enquiry, and the members of it that an erasure reads. */
interface Erasable<Schema extends z.ZodObject> {
  readonly of: Entity<z.ZodObject, { id: string }>;
  readonly erasable: Projection<Schema, { id: string }>;
}

async function eraseOne<Schema extends Erased>(
  table: Table,
  { id, enquirer }: { id: string; enquirer: string },
  { of, erasable }: Erasable<Schema>,
  erasureOf: (record: z.output<Schema>) => Promise<Erasure | undefined>,
): Promise<void> {
  const read = () => table.get(erasable, { id });
  await retryOnConflict(await read(), read, async (record) => {
    // Staff may have corrected the email since.
    if (!record || !enquirersOf(record).includes(enquirer)) return;
    const erasure = await erasureOf(record);
    if (!erasure) return;
    const { set, further = [] } = erasure;
    const { pk, sk } = of.key({ id });
    // Notes are deleted before the transaction, which removes the email: a repeated erasure could not find notes that
    // were left. A note added meanwhile changes the version, and the transaction is refused.
    await table.clear(pk, { except: [sk] });
    await table.transact([
      update(of, { id }, { set, add: { version: 1 } }, is("version", record.version)),
      ...enquirersOf(record).map((each) => remove(EnquiriesOfEmail, { enquirer: each, id })),
      ...further,
    ]);
  });
}
