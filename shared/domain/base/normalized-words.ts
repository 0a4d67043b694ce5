const combiningMarks = /[\u0300-\u036f]/g;
const separators = /[^\p{L}\p{N}\p{M}]+/u;
const plain = /^\p{ASCII}*$/u;
const maxLetters = 32;

/** Letters that Unicode does not take apart, as they are typed without them. */
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
};
const undivided = new RegExp(`[${Object.keys(plainLetters).join("")}]`, "g");

/** Lower case in plain letters: "Crème" and "creme" are one, "Łódź" and "lodz". */
export function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  // Taken apart first: some capitals come to light only then.
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(combiningMarks, "")
    .replaceAll(undivided, (letter) => plainLetters[letter] ?? letter);
}

/** The words of a text as they are compared, in its order; of a long one the first 32 letters. */
export const normalizedWords = (text: string): string[] =>
  fold(text)
    .split(separators)
    .flatMap((word) => (word === "" ? [] : [shorten(word)]));

function shorten(word: string): string {
  return word.length > maxLetters ? Array.from(word).slice(0, maxLetters).join("") : word;
}
