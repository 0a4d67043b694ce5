import { domainToUnicode } from "node:url";
import * as z from "zod";
import { MachineText, readsAs, streamSafe } from "./machine-text.ts";

// The patterns exclude control characters and lone surrogates, which storage would silently change. They are used in
// refinements and not as a schema's pattern, because tools that read the OpenAPI document without the `u` flag read
// `\p{Cc}` as plain letters.
const singleLine = /^[^\p{Cc}\p{Cs}]*$/u;
const markup = /^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u;
const multipleLines = /^(?:[^\p{Cc}\p{Cs}]|\n)*$/u;

/** A string of at most `max` characters. A longer one is refused before any other check. */
export const LimitedString = (max: number) => z.string().max(max, { abort: true });

// Checks that all text schemas share. Each check is built only once.
const trimmed = z.trim();
const composed = z.normalize("NFC");
const linesJoined = z.overwrite<string>((text) => text.replaceAll(/\r\n?|[\u2028\u2029]/g, "\n"));
// Controls of direction turn around the text that follows them, such as the rest of a letter. The joiners U+200C and
// U+200D stay, because Indian scripts need them.
const disturbing = /[\u200b\u202a-\u202e\u2066-\u2069\ufeff]/g;
const inOneLine = z.overwrite<string>((text) =>
  text.replaceAll(/[\u2028\u2029]/g, " ").replaceAll(disturbing, ""),
);
const notEmpty = z.minLength(1);
// Matches one visible character. Spaces, zero-width and bidirectional marks, variation selectors and fillers are
// invisible.
const visible = /[^\p{Cf}\p{Z}\p{Mn}\s\u115f\u1160\u2800\u3164\uffa0]/u;
const isVisible = z.check<string>(({ value, issues }) => {
  if (value === "" || visible.test(value)) return;
  issues.push({ code: "too_small", origin: "string", minimum: 1, inclusive: true, input: value });
});
const isSingleLine = z.refine<string>((text) => singleLine.test(text), {
  message: "The text must be one line without control characters.",
});
const isMultipleLines = z.refine<string>((text) => multipleLines.test(text), {
  message: "The text must not contain control characters.",
});
const isMarkup = z.refine<string>((text) => markup.test(text));

/**
 * The checks and changes that every text passes before the rules of its own kind: length, combining marks, trimming,
 * NFC, and the length again.
 *
 * @param cleaned a change before the text is trimmed
 */
function typedText(max: number, ...cleaned: z.core.$ZodCheck<string>[]) {
  const limit = z.maxLength(max, { abort: true });
  // NFC lengthens some texts, so the length is checked again.
  return [limit, streamSafe, ...cleaned, trimmed, composed, limit] as const;
}

/**
 * One line of text that a person typed: trimmed, NFC, 1 to `max` characters, at least one visible, no control
 * characters. Line separators become spaces; controls of direction, zero-width spaces and byte order marks are removed.
 */
export const Text = (max: number) =>
  z.string().check(...typedText(max, inOneLine), notEmpty, isVisible, isSingleLine);

/**
 * Text of several lines that a person typed, otherwise like `Text`. Every line break becomes `\n`.
 */
export const MultilineText = (max: number) =>
  z.string().check(...typedText(max), linesJoined, notEmpty, isVisible, isMultipleLines);

/** Tags that staff set on a record: lower case, unique, sorted. */
export const Tags = z
  .array(Text(40))
  .max(20)
  .overwrite((tags) => [...new Set(tags.map((tag) => tag.toLowerCase()))].toSorted());

/** HTML for storage: length and characters are checked here, tags and attributes by the sanitizer. */
export const Html = (max: number) => z.string().check(...typedText(max), isMarkup);

/**
 * An email address: before the at sign up to 64 characters, dots and the `atext` of RFC 5322; after it a host name whose
 * labels have up to 63 characters. OpenAPI's `format: email` accepts every match.
 */
const address =
  /^(?=[^@]{1,64}@)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/** Characters that a URL would read as something else than a part of its host name. */
const notInHostName = /[\x00-\x20%/?#:@\\[\]<>^|]/;
const ascii = /^\p{ASCII}*$/u;

/** The address with its domain in ASCII (IDNA), as mail servers write it. A domain without such a form is unchanged. */
function withAsciiDomain(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  if (ascii.test(domain) || notInHostName.test(domain)) return email;
  const url = URL.parse(`http://${domain}`);
  return url ? `${email.slice(0, at)}@${url.hostname}` : email;
}

/**
 * Whether the answer of `domainToUnicode` is a domain in characters. Of a label whose Punycode names none, some releases
 * of Node leave the label as it is, and others answer nothing.
 */
export const isDecoded = (domain: string): boolean =>
  domain !== "" && domain.split(".").every((label) => !label.startsWith("xn--"));

const isDecodable = z.check<string>(({ value, issues }) => {
  if (isDecoded(domainToUnicode(value.slice(value.lastIndexOf("@") + 1)))) return;
  issues.push({ code: "invalid_format", format: "email", input: value });
});

/** In lower case and with a domain in ASCII, so that equal addresses are equal strings. */
export const Email = MachineText(254)
  .overwrite((email) => withAsciiDomain(email.toLowerCase()))
  .check(z.email({ pattern: address, abort: true }), isDecodable)
  .meta({
    description: "Email address. Stored in lower case, with its domain in ASCII.",
    example: "asha@example.com",
  });
export type Email = z.output<typeof Email>;

/** Digits with an optional leading +; spaces, dots, dashes and brackets are removed. */
export const Phone = MachineText(32)
  .overwrite((phone) => phone.replaceAll(/[ ().-]/g, ""))
  .check(readsAs(/^\+?[0-9]{7,15}$/))
  .refine((phone) => !/^\+?(\d)\1*$/.test(phone), {
    message: "The phone number must not be one digit repeated.",
  })
  .meta({
    description: "Phone number, preferably with its country code",
    example: "+919812345678",
  });
export type Phone = z.output<typeof Phone>;

const firstMoment = Date.parse("2000-01-01T00:00:00Z");
const endOfTime = Date.parse("2101-01-01T00:00:00Z");
const outsideOurTime = "Use a date between the years 2000 and 2100.";

/** ISO 8601 with seconds and an offset, as in RFC 3339 and `format: date-time`; from 2000 to 2100. */
export const Timestamp = LimitedString(40)
  .check(
    z.iso.datetime({ offset: true, abort: true }),
    z.refine((text) => /T\d\d:\d\d:\d\d/.test(text), { abort: true }),
    z.refine(
      (text) => {
        const moment = Date.parse(text);
        return moment >= firstMoment && moment < endOfTime;
      },
      { abort: true, message: outsideOurTime },
    ),
  )
  .meta({ example: "2026-11-21T09:00:00.000Z" });
export type Timestamp = z.output<typeof Timestamp>;

/** One shared schema for all members that may lack a time, so that the description has it once. */
export const NullableTimestamp = Timestamp.nullable();

/** A calendar day in the store's timezone, from 2000 to 2100. */
export const Day = LimitedString(10)
  .check(
    z.iso.date({ abort: true }),
    z.refine((day) => day >= "2000" && day < "2101", { abort: true, message: outsideOurTime }),
  )
  .meta({ example: "2026-11-28" });
export type Day = z.output<typeof Day>;
