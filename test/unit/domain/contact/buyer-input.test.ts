import { describe, expect, test } from "vitest";
import { addressOf, PostalAddressInput } from "#shared/domain/contact/postal-address.ts";
import { CheckoutInput } from "#shared/domain/checkout/checkout.ts";
import { taxIdMatches } from "#shared/domain/contact/tax-id.ts";
import { Email, MultilineText, Phone, Text } from "#shared/domain/base/text.ts";
import { anId } from "#test/support/shop/commerce.ts";

describe("text that a buyer enters", () => {
  test("is trimmed and normalized to NFC", () => {
    expect(Text(10).parse("  Cafe\u0301 ")).toBe("Caf\u00e9");
  });

  test.each(["a\u0000b", "a\nb", "a\u007fb", "a\ud800b", "   ", "x".repeat(11)])(
    "is refused as a single line: %j",
    (typed) => {
      expect(Text(10).safeParse(typed).success).toBe(false);
    },
  );

  test("has normalized line breaks", () => {
    expect(MultilineText(20).parse("one\r\ntwo\rthree\n")).toBe("one\ntwo\nthree");
    expect(MultilineText(20).safeParse("tab\there\u0007").success).toBe(false);
  });

  test("is stored in lower case if it is an email", () => {
    expect(Email.parse(" Asha@Example.COM ")).toBe("asha@example.com");
    expect(Email.safeParse("asha@").success).toBe(false);
  });

  test.each([
    ["+91 98123-45678", "+919812345678"],
    ["(080) 4000 1000", "08040001000"],
    ["\u202a+91 98110 00011\u202c", "+919811000011"],
    ["＋９１（９８１１０）０００１１", "+919811000011"],
    ["०९८११०\u2011०००११", "09811000011"],
  ])("is stored as a phone without separators: %s as %s", (typed, kept) => {
    expect(Phone.parse(typed)).toBe(kept);
  });

  test.each(["12345", "98123x5678", "+", "1".repeat(16)])("is refused as a phone: %s", (typed) => {
    expect(Phone.safeParse(typed).success).toBe(false);
  });
});

const home = { line1: "4 Church Street", city: "Bengaluru", postal_code: "560001", country: "in" };

describe("an address that a buyer enters", () => {
  test("has null for omitted members, and the buyer's name as the recipient", () => {
    const buyer = { name: "Asha Rao", phone: "+919812345678" };
    expect(addressOf(PostalAddressInput.parse(home), buyer)).toEqual({
      ...buyer,
      line1: "4 Church Street",
      line2: null,
      landmark: null,
      city: "Bengaluru",
      state: "Karnataka",
      postal_code: "560001",
      country: "IN",
      access: null,
    });
  });

  test("is refused at the path of a postal code that is invalid in the country", () => {
    const { error } = PostalAddressInput.safeParse({ ...home, postal_code: "012345" });
    expect(error?.issues).toMatchObject([{ path: ["postal_code"] }]);
  });
});

describe("a tax number", () => {
  test.each([
    ["IN", "27AAPFU0939F1ZV", true],
    ["IN", "27AAPFU0939F1ZW", false],
    ["IN", "27AAPFU0939F1Z", false],
    ["DE", "DE123456789", true],
  ])("in %s: the validity of %s is %s", (country, taxId, valid) => {
    expect(taxIdMatches(country, taxId)).toBe(valid);
  });
});

describe("a checkout request body", () => {
  const request = {
    email: "asha@example.com",
    phone: "+919812345678",
    name: "Asha Rao",
    shipping_address: home,
    shipping_method: "standard",
    payment_method: "cod",
  };
  const issues = (sent: object) =>
    CheckoutInput.safeParse(sent).error?.issues.map(({ path, message }) => [
      path.join("."),
      message,
    ]);

  test("requires only a few members", () => {
    expect(CheckoutInput.parse(request)).toMatchObject({ marketing_opt_in: false });
  });

  test("must have exactly one of shipping_address and address_id", () => {
    const { shipping_address, ...without } = request;
    expect(issues(without)).toEqual([
      ["shipping_address", "The shipping address field is required."],
    ]);
    expect(CheckoutInput.safeParse({ ...without, address_id: anId("addr") }).success).toBe(true);
    expect(issues({ ...without, shipping_address, address_id: anId("addr") })).toHaveLength(1);
  });

  test("must have a tax number that is valid in the billing country", () => {
    expect(issues({ ...request, tax_id: "NONSENSE" })).toEqual([
      ["tax_id", "The tax id field must be a valid tax number."],
    ]);
    const billing_address = { ...home, country: "SG", postal_code: "018956" };
    expect(issues({ ...request, tax_id: "NONSENSE", billing_address })).toBeUndefined();
  });

  test("must have a GSTIN of the billing address's state", () => {
    const mumbai = { ...home, city: "Mumbai", postal_code: "400001" };
    const of = { ...request, tax_id: "29AAGCB7383J1Z4" };
    expect(issues(of)).toBeUndefined();
    expect(issues({ ...of, shipping_address: mumbai, billing_address: home })).toBeUndefined();
    expect(issues({ ...of, billing_address: mumbai })).toEqual([
      [
        "tax_id",
        "The tax id field must be of the billing address's state: a GSTIN of Maharashtra starts with 27.",
      ],
    ]);
  });

  test("is refused if it contains totals or statuses", () => {
    expect(issues({ ...request, grand_total: 1 })).toHaveLength(1);
    expect(issues({ ...request, expected_total: -1 })).toHaveLength(1);
  });
});
