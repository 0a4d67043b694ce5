import * as fc from "fast-check";
import { expect, test } from "vitest";
import { accountPhone, whatsAppNumber } from "#shared/domain/inbox/whatsapp-number.ts";

const account = (written: string) => {
  const number = whatsAppNumber(written);
  if (number === undefined) throw new Error(written);
  return accountPhone(number);
};

// The first number of each pair is written as WhatsApp delivers it.
test.each([
  ["5215512345678", "+52 55 1234 5678"],
  ["525512345678", "+52 1 55 1234 5678"],
  ["5491158749895", "+54 11 5874 9895"],
  ["5491158749895", "+54 9 11 5874 9895"],
  ["5491158749895", "+54 11 15 5874 9895"],
  ["5491123456789", "+54 9 11 15 2345 6789"],
  ["5493516123456", "+54 351 15 612 3456"],
  ["5493516123456", "+54 9 351 15 612 3456"],
  ["5493488412345", "+54 9 3488 15 412345"],
  ["5493488412345", "+54 3488 15 412345"],
  ["553187654321", "+55 31 98765 4321"],
  ["5531987654321", "+55 31 8765 4321"],
  ["5511987654321", "+55 11 98765 4321"],
])("%s and %s belong to the same WhatsApp account", (delivered, written) => {
  expect(account(delivered)).toBe(account(written));
});

test.each([
  // Fixed lines and trunked radio of Brazil never had a ninth digit.
  ["553137654321", "+55 31 93765 4321"],
  ["551177654321", "+55 11 97765 4321"],
  ["5215512345678", "+52 55 1234 5679"],
  ["525512345678", "+1 55 1234 5678"],
  ["5491158749895", "+54 911 5874 989"],
])("%s and %s belong to different WhatsApp accounts", (delivered, written) => {
  expect(account(delivered)).not.toBe(account(written));
});

test("the normalization changes neither WhatsApp's own form of a number nor numbers of other countries", () => {
  const digits = fc.stringMatching(/^[1-9][0-9]{6,14}$/);
  const ofThese = fc
    .tuple(fc.constantFrom("521", "52", "549", "54", "55"), fc.stringMatching(/^[1-9][0-9]{7,11}$/))
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(digits, ofThese), (number) => {
      const form = account(number);
      expect(account(form)).toBe(form);
      if (!/^5[245]/.test(number)) expect(form).toBe(`+${number}`);
    }),
  );
});
