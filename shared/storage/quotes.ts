import { StoredQuote } from "../domain/quote.ts";
import { is, isNew } from "./conditions.ts";
import { followEmail } from "./enquirers.ts";
import { entity } from "./entity.ts";
import { isOrdered, quoteKey, quotesIn } from "./quote-standings.ts";
import type { Table } from "./table.ts";
import { type Write, put } from "./writes.ts";

/** The partition of the index that lists all quotes by time. */
export const quoteList = "QUOTES";

/** Listed by time, and by state too. */
export const Quotes = entity({
  name: "quote",
  schema: StoredQuote,
  key: quoteKey,
  indexes: {
    gsi1: ({ created_at, id }) => ({ pk: quoteList, sk: `${created_at}#${id}` }),
    gsi2: ({ status, created_at, id }) => ({ pk: quotesIn(status), sk: `${created_at}#${id}` }),
  },
});

export const addQuote = (quote: StoredQuote): Write[] => [
  put(Quotes, quote, isNew),
  ...followEmail(undefined, quote),
];

/** Stores a quote over the one that was read, if nobody wrote it since. */
export const replaceQuote = (before: StoredQuote, after: StoredQuote): Write[] => [
  put(Quotes, after, is("version", before.version)),
  ...followEmail(before, after),
];

/** A quote whose order came to nothing stands as it did before that order, for as long as its offer holds. */
export async function standingQuote(
  table: Table,
  quote: StoredQuote | undefined,
): Promise<StoredQuote | undefined> {
  if (quote?.status !== "converted" || (await isOrdered(table, quote))) return quote;
  return { ...quote, status: "accepted", order_id: null };
}
