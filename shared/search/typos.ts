import { popCount } from "./bits.ts";
import { termCount, type Postings } from "./postings.ts";
import { stringAt } from "./string-column.ts";

const letterBits = 26;
const letterMask = (1 << letterBits) - 1;

/** The length of the shortest words that are corrected. */
export const shortWord = 3;

/** The number of typing errors allowed for a word of this length. Other numbers are no misspellings of a number. */
export function allowedSlips(word: string): 0 | 1 | 2 {
  if (/^\d/.test(word)) return 0;
  return word.length >= 8 ? 2 : word.length >= shortWord ? 1 : 0;
}

/** A word's letters as a set of 26 bits (other characters share them), and its length in the upper six bits. */
function signature(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) % letterBits);
  return (letters | (Math.min(word.length, 63) << letterBits)) >>> 0;
}

/** The signature of every term. */
export function lettersOf(text: Postings): Uint32Array<ArrayBuffer> {
  return Uint32Array.from({ length: termCount(text) }, (_, row) =>
    signature(stringAt(text.terms, row)),
  );
}

/**
 * The rows of terms within `slips` edits of a word, with their distance. An edit changes at most two letters of the
 * set, so the signature rules out nearly all terms, and only the remaining terms are compared.
 */
export function nearTerms(
  text: Postings,
  letters: Uint32Array,
  word: string,
  slips: number,
): { row: number; distance: number }[] {
  const near: { row: number; distance: number }[] = [];
  const wanted = signature(word);
  const length = wanted >>> letterBits;
  for (let row = 0; row < letters.length; row += 1) {
    const candidate = letters[row]!;
    if (Math.abs((candidate >>> letterBits) - length) > slips) continue;
    if (popCount((candidate ^ wanted) & letterMask) > 2 * slips) continue;
    const distance = editDistance(word, stringAt(text.terms, row), slips);
    if (distance <= slips) near.push({ row, distance });
  }
  return near;
}

/**
 * The number of insertions, deletions, replacements and swaps of neighbours between two words (optimal string
 * alignment). A distance above `limit` is returned as `limit + 1`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  let [beforeLast, last, current] = rows;
  for (let column = 0; column <= b.length; column += 1) last[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    const letter = a.charCodeAt(row - 1);
    let least = (current[0] = row);
    for (let column = 1; column <= b.length; column += 1) {
      const other = b.charCodeAt(column - 1);
      let cost = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (letter === other ? 0 : 1),
      );
      const isSwap =
        row > 1 &&
        column > 1 &&
        letter === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === other;
      if (isSwap) cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current[column] = cost;
      least = Math.min(least, cost);
    }
    // The next row may also continue from `last` by a swap, at a cost of 1. So `last` is checked too.
    if (least > limit && leastOf(last, b.length) + 1 > limit) return limit + 1;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return Math.min(last[b.length]!, limit + 1);
}

/** Rows of the table of distances, reused by every comparison; words have at most 32 letters. */
const longestWord = 64;
const rows: [Uint8Array, Uint8Array, Uint8Array] = [
  new Uint8Array(longestWord + 1),
  new Uint8Array(longestWord + 1),
  new Uint8Array(longestWord + 1),
];

function leastOf(row: Uint8Array, length: number): number {
  let least = row[0]!;
  for (let column = 1; column <= length; column += 1) least = Math.min(least, row[column]!);
  return least;
}
