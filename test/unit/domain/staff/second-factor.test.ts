import { expect, test } from "vitest";
import { SecondFactorCode, TotpConfirmation } from "#shared/domain/staff/second-factor.ts";

test.each([
  "123456",
  "123 456",
  "123-456",
  " १२३ ४५६ ",
  "123\u2013456",
  "\u202a123\u00a0456\u202c",
])("a code of an authenticator app may be grouped and in any digits: %j", (typed) => {
  expect(SecondFactorCode.parse(typed)).toBe("123456");
  expect(TotpConfirmation.parse({ code: typed })).toEqual({ code: "123456" });
});

test("a recovery code keeps its dashes, which tell it from an app's code", () => {
  expect(SecondFactorCode.parse(" abcd-efgh\u2011 ijkl-2345 ")).toBe("abcd-efgh-ijkl-2345");
});
