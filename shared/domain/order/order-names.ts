import { normalizedWords } from "../base/normalized-words.ts";
import type { StoredOrder } from "./order.ts";

/** What fits into one transaction, twice over. */
const mostWords = 20;
const mostAsked = 8;
const mostLetters = 200;

/** The words that an order is found by, in order: of whoever bought it and of whoever gets it. */
export const nameWordsOf = ({
  customer,
  addresses,
}: Pick<StoredOrder, "customer" | "addresses">): string[] => {
  const names = `${customer.name} ${addresses.shipping.name}`;
  // D'Souza is also heard as Dsouza.
  const words = [...normalizedWords(names), ...normalizedWords(names.replaceAll(/['’ʼ]/g, ""))];
  return [...new Set(words)].slice(0, mostWords).sort();
};

/** The words of a name as somebody typed it, each whole or what it begins with. */
export const nameWordsAsked = (typed: string): string[] =>
  [...new Set(normalizedWords(typed.slice(0, mostLetters)))].slice(0, mostAsked);

/** Whether each of the asked begins one of the words. */
export const bears = (words: readonly string[], asked: readonly string[]): boolean =>
  asked.every((beginning) => words.some((word) => word.startsWith(beginning)));
