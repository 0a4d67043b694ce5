import { nameWords } from "../base/normalized-words.ts";

/** The search words of an order, sorted: from the names of its buyer and its recipient. */
export const nameWordsOf = (buyer: string, recipient: string): string[] =>
  nameWords(`${buyer} ${recipient}`);
