import { describe, expect, test } from "vitest";
import {
  afterCodes,
  codesIn,
  newPhoneProof,
  proofLink,
} from "#shared/domain/customer/phone-proof.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
const whose = { id: "cus_01JD00000000000000000000A1", phone: "+919812345678" };
const { proof, code } = newPhoneProof(whose, Buffer.from([0, 0, 0, 0, 0, 42]), now);

test("a new code has eight digits and is valid for 15 minutes; only its hash is stored", () => {
  expect(code).toBe("00000042");
  expect(proof.expires_at).toBe("2026-11-21T09:15:00.000Z");
  expect(JSON.stringify(proof)).not.toContain(code);
});

test("the link opens a chat with the store and writes a message from which the code is read", () => {
  const link = new URL(proofLink("+918049001122", code));
  expect(link.origin + link.pathname).toBe("https://wa.me/918049001122");
  expect(codesIn(link.searchParams.get("text") ?? "")).toEqual([code]);
});

test.each([
  ["My code is 0000 0042.", ["00000042"]],
  ["0000-0042", ["00000042"]],
  ["००००००४२", ["00000042"]],
  ["\u202a0000\u00a00042\u202c", ["00000042"]],
  ["not 11111111 but 22222222", ["11111111", "22222222"]],
])("the codes in %j are %j", (text, codes) => {
  expect(codesIn(text)).toEqual(codes);
});

test.each([
  "560001",
  "+91 98123 45678",
  "Call 9812345678",
  "FS-7K3M-92QX-4HT8",
  `${"Long ".repeat(120)} 00000042`,
])("%j has no code", (text) => {
  expect(codesIn(text)).toEqual([]);
});

describe("a code", () => {
  const wrong = ["11111111", "22222222", "33333333", "44444444", "55555555"];

  test("proves the phone, also after four wrong ones", () => {
    expect(afterCodes(proof, [...wrong.slice(0, 4), code], now)).toBe("proven");
    expect(afterCodes({ ...proof, tries: 4 }, [code], now)).toBe("proven");
  });

  test("proves nothing after five wrong ones", () => {
    expect(afterCodes(proof, [...wrong, code], now)).toBe(5);
    expect(afterCodes({ ...proof, tries: 5 }, [code], now)).toBe(5);
  });

  test("proves nothing once it has expired", () => {
    expect(afterCodes(proof, [code], new Date(proof.expires_at))).toBe(0);
  });
});
