import * as z from "zod";

const formatMarks = /[\p{Cf}\ufe00-\ufe0f]/gu;
const digits = /\p{Nd}/gu;
const dashes = /[\p{Pd}\u2212]/gu;
const spaces = /[\s\u0085]/g;
const isDigit = /^\p{Nd}$/u;
const plain = /^[\x20-\x7e]*$/;

/**
 * The ASCII digit of a decimal digit of any script. Unicode encodes the ten digits of a script in a row, from 0 to 9,
 * and the rows of two scripts may touch.
 */
function asciiDigit(digit: string): string {
  // The argument is one whole character, so it has a code point.
  const code = digit.codePointAt(0) as number;
  let first = code;
  while (isDigit.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}

/** The text with ASCII digits in place of the decimal digits of other scripts: `५६०००१` becomes `560001`. */
export const withAsciiDigits = (text: string): string =>
  text.replaceAll(digits, (digit) => (digit < "\x80" ? digit : asciiDigit(digit)));

/** Like `machineText`, but keeps spaces at the ends. */
export function simplified(text: string, form: "NFKC" | "NFKD" = "NFKC"): string {
  if (plain.test(text)) return text;
  return withAsciiDigits(text.normalize(form).replaceAll(formatMarks, ""))
    .replaceAll(dashes, "-")
    .replaceAll(spaces, " ");
}

/**
 * Reads text for a machine as a person sees it: phones and websites add marks of direction, other scripts have digits of
 * their own, and editors turn hyphens into dashes. Returns the text in NFKC, trimmed, without format characters and
 * variation selectors, with ASCII digits, `-` for every dash and U+0020 for every space, tab and line end.
 *
 * @param text of limited length, because NFKC of long runs of combining marks is slow
 */
export const machineText = (text: string): string => simplified(text).trim();

// Unicode's "Stream-Safe Text Format" (UAX #15) allows at most 30 combining marks in a row. The time to normalize a run
// of marks grows with the square of its length.
const tooManyMarks = /\p{M}{31}/u;

/** Refuses text that is slow to normalize. */
export const streamSafe = z.refine<string>((text) => !tooManyMarks.test(text), {
  abort: true,
  message: "The text has too many combining marks in a row.",
});

const tooLong = (max: number) => `The text must have at most ${max} characters.`;

/** Refuses text whose invisible marks alone exceed the limit, before it is normalized. */
const rawLimit = (max: number) => z.maxLength(2 * max, { abort: true, error: tooLong(max) });

const limit = (max: number) =>
  z.refine<string>((text) => text.length <= max, { abort: true, error: tooLong(max) });

const read = z.overwrite<string>(machineText);
const readSearch = z.overwrite<string>((words) =>
  // In a URL, an unencoded plus is a space, so `q=+91…` arrives with a leading space.
  simplified(words)
    .replace(/^ (?=\d)/, "+")
    .trim(),
);

/**
 * A field that a machine reads, such as a phone number or a SKU: `machineText` of at most `max` characters. What was
 * sent may have twice as many.
 */
export const MachineText = (max: number) =>
  z.string().check(rawLimit(max), streamSafe, read, limit(max));

/** Search words among which may be a phone number, an email, a SKU or another machine-read text. */
export const SearchWords = (max: number) =>
  z.string().check(rawLimit(max), streamSafe, readSearch, limit(max), z.minLength(1));

/**
 * Checks the text as it was read. It is no `regex`, because the API's description would show the pattern, and a client
 * that validates by it would refuse what may be sent in another form.
 */
export const readsAs = (pattern: RegExp, message?: string) =>
  z.check<string>(({ value, issues }) => {
    if (pattern.test(value)) return;
    issues.push({
      code: "invalid_format",
      format: "regex",
      input: value,
      ...(message !== undefined && { message }),
    });
  });

/** For codes whose spaces mean nothing. */
export const withoutSpaces = (text: string): string => text.replaceAll(" ", "");
