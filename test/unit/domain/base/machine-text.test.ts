import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MachineText, SearchWords, machineText } from "#shared/domain/base/machine-text.ts";

const allCharacters = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

describe("text that a machine reads", () => {
  test("has ASCII digits, in place of those of every script that JavaScript can write numbers in", () => {
    const scripts = Intl.supportedValuesOf("numberingSystem").flatMap((numberingSystem) => {
      const { format } = new Intl.NumberFormat("en", { numberingSystem, useGrouping: false });
      const digits = Array.from("1234567890", (digit) => format(Number(digit)));
      return digits.every((digit) => /^\p{Nd}$/u.test(digit)) ? [digits.join("")] : [];
    });
    expect(scripts.length).toBeGreaterThan(60);
    expect(scripts.map(machineText)).toEqual(scripts.map(() => "1234567890"));
  });

  test("has no format character, and only ASCII digits, dashes and spaces, whatever is pasted", () => {
    const read = machineText(allCharacters.join(""));
    const left =
      /[\p{Cf}\ufe00-\ufe0f]|[^\P{Nd}0-9]|[^\P{Pd}-]|[^\P{Zs} ]|[\t\n\u0085\u2028\u2029]/gu;
    expect(read.match(left)).toBeNull();
  });

  test("does not change if it is read again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 8 }), (text) => {
        const once = machineText(text);
        expect(machineText(once)).toBe(once);
      }),
    );
  });

  test("may be sent with invisible marks beyond its maximum length, but not with endless ones", () => {
    const ten = MachineText(10);
    expect(ten.parse(`\u202a${"x".repeat(10)}\u202c`)).toBe("x".repeat(10));
    expect(ten.safeParse("x".repeat(11)).success).toBe(false);
    expect(ten.safeParse(`x${"\u200b".repeat(20)}`).success).toBe(false);
  });
});

describe("search words", () => {
  test.each([
    [" 9198110", "+9198110"],
    ["\u202a 9198110\u202c", "+9198110"],
    [" Asha", "Asha"],
  ])("%j are read as %j, because an unencoded plus arrives as a space", (sent, read) => {
    expect(SearchWords(20).parse(sent)).toBe(read);
  });

  test("need a visible character", () => {
    expect(SearchWords(20).safeParse(" \u200b").success).toBe(false);
  });
});
