import { StoredQuote } from "../../domain/enquiry/quote.ts";
import { is, isNew } from "../conditions.ts";
import { followEnquirer } from "./enquirers.ts";
import { entity } from "../entity.ts";
import { type Write, put } from "../writes.ts";

/** The partition of the index that lists all quotes, sorted by creation time. */
export const quoteList = "QUOTES";
/** The partition of the index that lists the quotes of a status. */
export const quotesIn = (status: string) => `${quoteList}#${status}`;

/** All quotes are listed together and per status, each list sorted by creation time. */
export const Quotes = entity({
  name: "quote",
  notExported: "personal",
  schema: StoredQuote,
  key: ({ id }: { id: string }) => ({ pk: `QUOTE#${id}`, sk: "QUOTE" }),
  indexes: {
    gsi1: ({ created_at, id }) => ({ pk: quoteList, sk: `${created_at}#${id}` }),
    gsi2: ({ status, created_at, id }) => ({ pk: quotesIn(status), sk: `${created_at}#${id}` }),
  },
});

export const quoteWrites = (quote: StoredQuote): Write[] => [
  put(Quotes, quote, isNew),
  ...followEnquirer(undefined, quote),
];

/** Stores a quote, if it is unchanged since it was read. */
export const replaceQuote = (before: StoredQuote, after: StoredQuote): Write[] => [
  put(Quotes, after, is("version", before.version)),
  ...followEnquirer(before, after),
];
