import { simplified } from "./machine-text.ts";

/**
 * Marks that readers of a script leave out when they type: Latin accents, Hebrew points, Arabic vowel marks and the
 * tatweel, and the nukta of Indian scripts.
 */
const optionalMarks = new RegExp(
  "[\\u0300-\\u036f" +
    "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7" +
    "\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed" +
    "\\u093c\\u09bc\\u0a3c\\u0abc\\u0b3c\\u0cbc]",
  "g",
);
const separators = /[^\p{L}\p{N}\p{M}]+/u;
const plain = /^\p{ASCII}*$/u;
const maxLetters = 32;

/** Letters that Unicode does not decompose, with their plain spelling; those of Persian and Urdu with the Arabic one. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  ß: "ss",
  þ: "th",
  ð: "d",
  đ: "d",
  ɗ: "d",
  ɓ: "b",
  ħ: "h",
  ı: "i",
  ƙ: "k",
  ł: "l",
  ŋ: "n",
  ø: "o",
  ŧ: "t",
  ƴ: "y",
  "\u0671": "\u0627",
  "\u0629": "\u0647",
  "\u06c1": "\u0647",
  "\u06a9": "\u0643",
  "\u0649": "\u064a",
  "\u06cc": "\u064a",
};
const undivided = new RegExp(`[${Object.keys(plainLetters).join("")}]`, "g");

/**
 * Normalizes text to lower case in plain letters: "Crème" equals "creme", "Łódź" equals "lodz", and Arabic or Hebrew with
 * vowel marks the same without. Joiners and soft hyphens are removed, so that they do not split words; digits of all
 * scripts become ASCII digits.
 */
export function normalizeText(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  // NFKD is applied before the conversion to lower case, because it turns some characters into capitals.
  return simplified(text, "NFKD")
    .toLowerCase()
    .replaceAll(optionalMarks, "")
    .replaceAll(undivided, (letter) => plainLetters[letter] ?? letter);
}

/** The normalized words of a text, in order, each cut off after 32 letters. */
export const normalizedWords = (text: string): string[] =>
  normalizeText(text)
    .split(separators)
    .flatMap((word) => (word === "" ? [] : [shorten(word)]));

function shorten(word: string): string {
  return word.length > maxLetters ? Array.from(word).slice(0, maxLetters).join("") : word;
}

/** Maximum number of search words of a record. One transaction replaces all of them when the names change. */
const mostWords = 20;
const mostAsked = 8;
const mostLetters = 200;

/** The search words of names, sorted. */
export function nameWords(names: string): string[] {
  // A search for Dsouza also finds D'Souza.
  const words = [...normalizedWords(names), ...normalizedWords(names.replaceAll(/['’ʼ]/g, ""))];
  return [...new Set(words)].slice(0, mostWords).sort();
}

/** The words of a name search; each matches a whole word or its beginning. */
export const searchedNameWords = (typed: string): string[] =>
  [...new Set(normalizedWords(typed.slice(0, mostLetters)))].slice(0, mostAsked);

/** Whether each prefix is the beginning of one of the words. */
export const hasEveryPrefix = (words: readonly string[], prefixes: readonly string[]): boolean =>
  prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)));

/** The first letter of a word. */
export const initialOf = (word: string): string => Array.from(word)[0] ?? "";
