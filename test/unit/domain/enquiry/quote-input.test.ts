import { expect, test } from "vitest";
import { QuoteInput } from "#shared/domain/enquiry/quote-input.ts";
import { quoteLimits } from "#shared/domain/enquiry/quote.ts";

const item = { sku: "CHR-OSLO-OAT", quantity: 1 };
const requestFor = (count: number) =>
  QuoteInput.safeParse({
    name: "Asha Rao",
    email: "asha@example.com",
    consent: true,
    items: Array.from({ length: count }, () => item),
  });
const pathsOf = (count: number) => requestFor(count).error?.issues.map(({ path }) => path);

test("a quote may be requested for one item, for several, and for as many as a quote can have", () => {
  for (const count of [1, 2, quoteLimits.items])
    expect(requestFor(count).data?.items).toHaveLength(count);
});

test("a quote cannot be requested for no item, or for more than a quote can have", () => {
  expect(pathsOf(0)).toEqual([["items"]]);
  expect(pathsOf(quoteLimits.items + 1)).toEqual([["items"]]);
});
