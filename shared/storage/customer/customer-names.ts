import * as z from "zod";
import { initialOf, nameWords } from "../../domain/base/normalized-words.ts";
import type { Customer } from "../../domain/customer/customer.ts";
import { entity } from "../entity.ts";
import { type Write, put, remove } from "../writes.ts";

/** The customers of each word in their names. A word sorts before longer words that begin with it. */
export const CustomersOfName = entity({
  name: "customer_of_name",
  notExported: "derived",
  schema: z.object({
    customer_id: z.string(),
    word: z.string(),
    /** All words of the customer's name, this one included. */
    words: z.array(z.string()),
  }),
  key: ({ initial, word, customer_id }: NamePlace) => ({
    pk: `CUSTOMERNAME#${initial}`,
    sk: `${word}#${customer_id}`,
  }),
});

interface NamePlace {
  /** The word's first letter. */
  readonly initial: string;
  readonly word: string;
  readonly customer_id: string;
}

/** Where the row of a word is. */
export const customerNamePlace = (word: string, customer_id: string): NamePlace => ({
  initial: initialOf(word),
  word,
  customer_id,
});

/** The range of words with this prefix. */
export const customerNamesBeginning = (prefix: string) => ({
  partition: CustomersOfName.key(customerNamePlace(prefix, "")).pk,
  prefix,
});

type Named = Pick<Customer, "id" | "name">;

/**
 * Updates the lookup by name. Include it in the transaction that changes the customer.
 *
 * @param before undefined for a new customer
 * @param after undefined for an erased customer
 */
export function moveName(before: Named | undefined, after: Named | undefined): Write[] {
  if (before?.name === after?.name) return [];
  const [was, is] = [wordsOf(before), wordsOf(after)];
  const gone = was.filter((word) => !is.includes(word));
  return [
    ...gone.map((word) => remove(CustomersOfName, customerNamePlace(word, before?.id ?? ""))),
    ...is.map((word) =>
      put(CustomersOfName, { ...customerNamePlace(word, after?.id ?? ""), words: [...is] }),
    ),
  ];
}

const wordsOf = (of: Named | undefined): string[] => (of ? nameWords(of.name) : []);
