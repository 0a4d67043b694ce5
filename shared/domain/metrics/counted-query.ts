import { normalizeText } from "../base/normalized-words.ts";

/** Stands for an email address or a long number. */
const masked = "*";
const longestQuery = 80;

/** Nine digits with separators, such as a phone number, or six in a row, such as a postal code. */
const longNumbers = /\p{Nd}(?:[\s().+-]{0,2}\p{Nd}){8,}|\p{Nd}{6,}/gu;
const separators = /[^\p{L}\p{N}\p{M}*]+/u;

/**
 * The form in which the words of a search are stored and counted: normalized, without punctuation, up to 80 characters.
 * `*` replaces an email address and a number of six or more digits.
 *
 * @returns null if nothing is left
 */
export function countedQuery(text: string): string | null {
  const words = normalizeText(text.replaceAll(masked, " "))
    .replaceAll(/\s*@\s*/g, "@")
    .split(/\s+/)
    .map((word) => (word.includes("@") ? masked : word))
    .join(" ")
    .replaceAll(longNumbers, ` ${masked} `)
    .split(separators)
    .filter((word) => word !== "")
    .join(" ")
    .normalize("NFC");
  const query = Array.from(words).slice(0, longestQuery).join("").trim();
  return query === "" ? null : query;
}
