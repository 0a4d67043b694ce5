import { describe, expect, test } from "vitest";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import {
  backInStockLetter,
  confirmAlertLetter,
  priceDropLetter,
} from "#shared/mail/marketing-letters.ts";
import { aProduct, aVariant } from "#test/support/shop/builders.ts";
import { aStore, anId } from "#test/support/shop/commerce.ts";

const settings = { ...defaultSettings, store: aStore() };
const chair = aProduct({ name: "Oslo Chair", slug: "oslo-chair" });
const stool = aProduct({ name: "Oslo Stool", options: [], variants: [aVariant({ options: {} })] });
const [oat = "", slate = ""] = chair.variants.map(({ id }) => id);
const token = "end";

describe("the mail that an item is back in stock", () => {
  const mail = (variant_ids: string[], product = chair) =>
    backInStockLetter(settings, product, { variant_ids, token });

  test("names the variant that the person asked about, and links to it", () => {
    const { subject, text } = mail([oat]);
    expect(subject).toBe("Oslo Chair, Oat is back in stock");
    expect(text).toContain("Oslo Chair, Oat is back in stock.");
    expect(text).toContain(`/products/oslo-chair?sku=CHR-OSLO-OAT`);
  });

  test("names some of several variants, and the product alone if all are back or it has one", () => {
    const [first, second] = chair.variants;
    const third = aVariant({
      id: anId("var", 9),
      sku: "CHR-OSLO-NONE",
      options: { color: "slate" },
    });
    const wider = { ...chair, variants: [first!, second!, third] };
    expect(mail([oat, slate], wider).text).toContain("is back in stock (Oat; Slate).");
    expect(mail([oat, slate]).text).toContain("Oslo Chair is back in stock.");
    expect(mail([], chair).subject).toBe("Oslo Chair is back in stock");
    const single = mail([oat], stool);
    expect(single.subject).toBe("Oslo Stool is back in stock");
    expect(single.text).not.toContain("?sku=");
  });
});

describe("the mail that an item costs less", () => {
  const mail = (...prices: { variant_id: string; price: number }[]) =>
    priceDropLetter(settings, chair, { prices, token });

  test("names the variant and its price", () => {
    const { subject, text } = mail({ variant_id: slate, price: 2_699_000 });
    expect(subject).toBe("Oslo Chair, Slate costs less");
    expect(text).toContain("Oslo Chair, Slate now costs ₹26,990.00.");
    expect(text).toContain(`?sku=CHR-OSLO-SLATE`);
  });

  test("about any variant names the product and says that the price is the lowest", () => {
    const { subject, text } = mail(
      { variant_id: "*", price: 2_499_000 },
      { variant_id: slate, price: 2_699_000 },
    );
    expect(subject).toBe("Oslo Chair costs less");
    expect(text).toContain("Oslo Chair now costs from ₹24,990.00.");
    expect(text).not.toContain("?sku=");
  });

  test("lists the price of each of several variants", () => {
    const third = aVariant({
      id: anId("var", 9),
      sku: "CHR-OSLO-NONE",
      options: { color: "slate" },
    });
    const wider = { ...chair, variants: [...chair.variants, third] };
    const prices = [
      { variant_id: oat, price: 2_499_000 },
      { variant_id: slate, price: 2_699_000 },
    ];
    const { text } = priceDropLetter(settings, wider, { prices, token });
    expect(text).toMatch(/Oat.*₹24,990\.00/s);
    expect(text).toMatch(/Slate.*₹26,990\.00/s);
  });
});

test("the confirmation of an alert names the variant", () => {
  const link = { token, expires_at: "2026-12-01T00:00:00.000Z" };
  const { subject, text } = confirmAlertLetter(settings.store, chair, {
    kind: "back_in_stock",
    variant_ids: [oat],
    ...link,
  });
  expect(subject).toBe("Please confirm: tell me about Oslo Chair, Oat");
  expect(text).toContain("told when Oslo Chair, Oat is back in stock");
});
