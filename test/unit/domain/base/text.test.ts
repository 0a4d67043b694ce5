import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import {
  Day,
  Email,
  Html,
  MultilineText,
  Phone,
  Text,
  Timestamp,
  isDecoded,
} from "#shared/domain/base/text.ts";
import { WebAddress } from "#shared/domain/base/web-address.ts";

const ajv = new Ajv2020();
addFormats.default(ajv);

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

/** Texts near a schema's limits: these units in any order, and long runs of one letter. */
const near = (...units: string[]) =>
  fc
    .array(
      fc.oneof(
        { arbitrary: fc.constantFrom(...units), weight: 6 },
        {
          arbitrary: fc
            .tuple(fc.constantFrom(...units), fc.nat(70))
            .map(([one, times]) => one.repeat(times)),
          weight: 1,
        },
        { arbitrary: fc.string({ maxLength: 3 }), weight: 1 },
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(""));

describe("every value that a text schema accepts matches the format that its JSON Schema declares", () => {
  const cases: [format: string, schema: z.ZodType, texts: fc.Arbitrary<string>][] = [
    [
      "email",
      Email,
      fc.oneof(
        fc.emailAddress(),
        fc
          .tuple(near("a", "b.", "-", "'", "+"), near("a", "b", "-", "."))
          .map(([local, domain]) => `${local}@${domain}.com`),
      ),
    ],
    [
      "uri",
      WebAddress,
      fc.oneof(
        fc.webUrl({ withFragments: true, withQueryParameters: true }),
        near("a", ".", "/", "?", "#", "%20", "%", ":", "@", "[", "]", "é", " ", "\n").map(
          (rest) => `https://a${rest}`,
        ),
      ),
    ],
    [
      "date-time",
      Timestamp,
      fc.oneof(
        fc
          .date({ min: new Date("1998-01-01"), max: new Date("2103-01-01"), noInvalidDate: true })
          .map((date) => date.toISOString()),
        fc
          .tuple(
            fc.constantFrom("2026-02-28", "2024-02-29", "2026-02-29", "2026-13-01"),
            fc.constantFrom(
              "T00:00",
              "T23:59:59",
              "T23:59:60",
              "T24:00:00",
              "t10:00:00",
              " 10:00:00",
            ),
            fc.constantFrom("", ".1", ".123456789"),
            fc.constantFrom("Z", "z", "+05:30", "-23:59", "+24:00", "+0530", "+05", ""),
          )
          .map((parts) => parts.join("")),
      ),
    ],
    [
      "date",
      Day,
      fc
        .tuple(fc.constantFrom("1999", "2000", "2024", "2100", "2101"), fc.nat(13), fc.nat(32))
        .map(([year, month, day]) =>
          [year, String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-"),
        ),
    ],
  ];
  test.each(cases)("for the format %s", (format, schema, texts) => {
    const isFormat = ajv.compile({ type: "string", format });
    let taken = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const result = schema.safeParse(text);
        if (!result.success) return;
        taken += 1;
        expect([result.data, isFormat(result.data)]).toEqual([result.data, true]);
      }),
      { numRuns: 3_000 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});

describe("an email address", () => {
  const domain = (label: number) => `${"d".repeat(label)}.example.com`;
  test("may have at most 64 characters before the at sign, 63 in a domain label and 254 in total", () => {
    expect(takes(Email, `${"l".repeat(64)}@example.com`)).toBe(true);
    expect(takes(Email, `${"l".repeat(65)}@example.com`)).toBe(false);
    expect(takes(Email, `asha@${domain(63)}`)).toBe(true);
    expect(takes(Email, `asha@${domain(64)}`)).toBe(false);
    const long = (length: number) => `${"l".repeat(64)}@${"d.".repeat((length - 68) / 2)}com`;
    expect([long(254).length, takes(Email, long(254))]).toEqual([254, true]);
    expect([long(256).length, takes(Email, long(256))]).toEqual([256, false]);
  });

  test.each([
    "asha@-example.com",
    "asha@example-.com",
    "asha@example..com",
    ".asha@example.com",
    "a..b@example.com",
  ])("is refused: %s", (address) => expect(takes(Email, address)).toBe(false));

  test.each([
    ["a@xn--p1ai.xn--p1ai", "a@xn--p1ai.xn--p1ai"],
    ["a@президент.рф", "a@xn--d1abbgf6aiiy.xn--p1ai"],
    ["Asha@Bücher.example", "asha@xn--bcher-kva.example"],
    ["asha@straße.example", "asha@xn--strae-oqa.example"],
    ["jean&marie@example.com", "jean&marie@example.com"],
    ["a!#$%&'*+-/=?^_`{|}~b@example.com", "a!#$%&'*+-/=?^_`{|}~b@example.com"],
    ["asha＠example．com", "asha@example.com"],
  ])(
    "has any RFC 5322 atext before the at sign and an ASCII domain after it: %s as %s",
    (typed, kept) => expect(Email.parse(typed)).toBe(kept),
  );

  test.each([
    "asha@exämple%2ecom",
    "ä@example.com",
    "asha@bü cher.example",
    "asha@ü.1",
    "a@xn--.xn--",
    "a@xn--zzzzzz.com",
    "a@shop.xn--zzzzzz.example",
    "a@example.xn--zzzzzz",
    "a@xn--ascii-.example",
  ])("is refused if its domain is no host name, or its mailbox is not ASCII: %s", (typed) =>
    expect(takes(Email, typed)).toBe(false),
  );

  test.each([
    ["bücher.example", true],
    ["xn--zzzzzz.com", false],
    ["shop.xn--zzzzzz", false],
    ["", false],
  ])("has a domain that %j shows, as releases of Node decode it: %s", (decoded, isRight) =>
    expect(isDecoded(decoded)).toBe(isRight),
  );

  test.each(["Asha.Rao+sofa@Example.co.in", "o'hara@example.com", " asha@example.com "])(
    "is accepted: %j",
    (address) => expect(Email.parse(address)).toBe(address.trim().toLowerCase()),
  );
});

describe("a date or timestamp", () => {
  test.each([
    ["1999-12-31", false, Day],
    ["2000-01-01", true, Day],
    ["2100-12-31", true, Day],
    ["2101-01-01", false, Day],
    ["9999-12-31", false, Day],
    ["1999-12-31T23:59:59Z", false, Timestamp],
    ["2000-01-01T00:00:00Z", true, Timestamp],
    ["2000-01-01T00:00:00+05:30", false, Timestamp],
    ["2100-12-31T23:59:59.999Z", true, Timestamp],
    ["2100-12-31T23:59:59-01:00", false, Timestamp],
    ["2026-01-01T00:00Z", false, Timestamp],
  ] as const)(
    "must be valid and in the years 2000 to 2100; for %s, this is %s",
    (text, taken, schema) => {
      expect([text, takes(schema, text)]).toEqual([text, taken]);
    },
  );
});

test.each(["0000000000", "+9999999999", "111 111 1111"])(
  "the phone number %s with only one distinct digit is refused",
  (typed) => {
    expect(takes(Phone, typed)).toBe(false);
    expect(takes(Phone, `${typed}2`)).toBe(true);
  },
);

describe("a text field", () => {
  test.each(["\u200b", "\u200e\u202e", "\u2060 \ufeff", "\u3164", "\u0301"])(
    "is refused if it has no visible character: %j",
    (text) => {
      expect(takes(Text(20), text)).toBe(false);
      expect(takes(MultilineText(20), text)).toBe(false);
      expect(takes(Text(20), `a${text}b`)).toBe(true);
    },
  );

  test.each([
    ["one line", Text(10)],
    ["several lines", MultilineText(10)],
    ["HTML", Html(10)],
  ])("is refused because of its raw length before its characters are read: %s", (_name, schema) => {
    expect(takes(schema, "a".repeat(10))).toBe(true);
    const { error } = schema.safeParse("\u0000".repeat(11));
    expect(error?.issues.map(({ code }) => code)).toEqual(["too_big"]);
  });

  test("is refused if it has more combining marks in a row than Unicode's stream-safe format permits", () => {
    expect(takes(Text(100), `a${"\u0301".repeat(30)}`)).toBe(true);
    expect(takes(Text(100), `a${"\u0301".repeat(31)}`)).toBe(false);
  });

  test.each([
    ["Asha\u202eRao", "AshaRao"],
    ["Asha\u2028Rao", "Asha Rao"],
    ["\u2067Asha\u2069\u2029Rao\ufeff", "Asha Rao"],
    ["Asha\u200b Rao", "Asha Rao"],
    [
      "\u0915\u094d\u200d\u0937 \u0915\u094d\u200c\u0937",
      "\u0915\u094d\u200d\u0937 \u0915\u094d\u200c\u0937",
    ],
    ["\u05d0\u200f\u200e", "\u05d0\u200f\u200e"],
  ])(
    "of one line keeps joiners, but nothing that turns around or breaks what follows: %j",
    (typed, kept) => {
      expect(Text(20).parse(typed)).toBe(kept);
    },
  );

  test("of several lines has a line end for each line separator", () => {
    expect(MultilineText(20).parse("one\u2028two\u2029three\r\nfour")).toBe(
      "one\ntwo\nthree\nfour",
    );
  });

  test("is stored in Unicode form NFC and must stay within its limit in that form", () => {
    expect(Text(10).parse("Cafe\u0301")).toBe("Café");
    // In NFC, U+0958 becomes two characters.
    expect(takes(Text(3), "\u0958\u0958\u0958")).toBe(false);
  });
});
