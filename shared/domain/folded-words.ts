const combiningMarks = /[\u0300-\u036f]/g;
const separators = /[^\p{L}\p{N}\p{M}]+/u;
const plain = /^\p{ASCII}*$/u;
const maxLetters = 32;

/** Lower case without diacritics: "Crème" and "creme" are one. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  return plain.test(lower) ? lower : lower.normalize("NFKD").replaceAll(combiningMarks, "");
}

/** The words of a text as they are compared, in its order; of a long one the first 32 letters. */
export const foldedWords = (text: string): string[] =>
  fold(text)
    .split(separators)
    .flatMap((word) => (word === "" ? [] : [shorten(word)]));

function shorten(word: string): string {
  return word.length > maxLetters ? Array.from(word).slice(0, maxLetters).join("") : word;
}
