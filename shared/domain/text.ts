import * as z from "zod";

// No control characters, and no halves of a surrogate pair: storage would silently change those.
// Refinements, not patterns: readers of the description that leave out the flag `u` take `\p{Cc}` for letters.
const singleLine = /^[^\p{Cc}\p{Cs}]*$/u;
const markup = /^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u;
const multipleLines = /^(?:[^\p{Cc}\p{Cs}]|\n)*$/u;

/** One line of text that a person typed: trimmed, NFC, 1 to `max` characters, no control characters. */
export function Text(max: number) {
  return z.string().check(
    z.trim(),
    z.normalize("NFC"),
    z.minLength(1),
    z.maxLength(max),
    z.refine((text) => singleLine.test(text)),
  );
}

/** The same over several lines; every line break becomes `\n`. */
export function MultilineText(max: number) {
  return z.string().check(
    z.overwrite((text) => text.replaceAll(/\r\n?/g, "\n")),
    z.trim(),
    z.normalize("NFC"),
    z.minLength(1),
    z.maxLength(max),
    z.refine((text) => multipleLines.test(text)),
  );
}

/** Words that staff sort things by: in lower case, each once, in their order. */
export const Tags = z
  .array(Text(40))
  .max(20)
  .overwrite((tags) => [...new Set(tags.map((tag) => tag.toLowerCase()))].toSorted());

/** HTML as it is kept: the length and characters are judged here, tags and attributes by the sanitiser. */
export function Html(max: number) {
  return z.string().check(
    z.trim(),
    z.normalize("NFC"),
    z.maxLength(max),
    z.refine((text) => markup.test(text)),
  );
}

/** Trimmed and in lower case, so that equal addresses are equal strings. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .check(z.email())
  .meta({ description: "Email address, compared in lower case", example: "asha@example.com" });
export type Email = z.output<typeof Email>;

/** Digits with an optional leading +; spaces, dots, dashes and brackets are taken out. */
export const Phone = z
  .string()
  .max(32)
  .overwrite((phone) => phone.replaceAll(/[\s().-]/g, ""))
  .regex(/^\+?[0-9]{7,15}$/)
  .meta({ description: "Phone number, best with the country's code", example: "+919812345678" });
export type Phone = z.output<typeof Phone>;

/** ISO 8601 with an offset. */
export const Timestamp = z.iso
  .datetime({ offset: true })
  .meta({ example: "2026-11-21T09:00:00.000Z" });
export type Timestamp = z.output<typeof Timestamp>;

/** A calendar day in the store's timezone. */
export const Day = z.iso.date().meta({ example: "2026-11-28" });
export type Day = z.output<typeof Day>;
