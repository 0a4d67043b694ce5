import { amountInWords } from "#shared/domain/document/amount-in-words.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import type { DueDocument } from "#shared/domain/document/document.ts";
import { type PriceSettings, priceQuote } from "#shared/domain/enquiry/quote-price.ts";
import type { QuoteItem } from "#shared/domain/enquiry/quote-item.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import type { PricedLineAmounts, Totals } from "#shared/domain/pricing/totals.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import { day, money } from "#shared/mail/wording.ts";
import type { PrintedFact, PrintedDocument, PrintedLine } from "./printed-document.ts";
import { lineDetails, plainAmount, sellerLines, taxText } from "./texts.ts";

/**
 * The offer of a quote that was sent.
 *
 * @throws TypeError when a line has no price, which a sent quote's lines have
 */
export function quoteDocument(
  quote: StoredQuote,
  due: DueDocument,
  settings: PriceSettings,
): PrintedDocument {
  const { store } = settings;
  const pricing = priceQuote(quote, settings);
  if (!pricing) throw new TypeError("A sent quote has a line without a price");
  const { totals } = pricing;
  const { currency, valid_until, shipping_note } = quote;
  const to = [quote.name, quote.email, quote.phone, quote.postal_code];
  return {
    title: "Quote",
    number: due.number,
    facts: [
      ["Date", day(store, due.issued_on)],
      ...(valid_until === null ? [] : [validity(store, valid_until)]),
    ],
    seller: sellerLines(store),
    parties: [{ title: "For", lines: to.flatMap((line) => line || []) }],
    lines: quote.items.map((item, index) =>
      printedItem(item, pricing.lines[index]!, { store, currency }),
    ),
    totals: totalsOf(totals, store, currency),
    payments: [],
    inWords: amountInWords(totals.grand_total, currency),
    taxes: null,
    notes: [
      ...(shipping_note === null ? [] : [`Delivery: ${shipping_note}`]),
      "Delivery is added at checkout, and tax is computed for the place of delivery.",
    ],
  };
}

const validity = (store: StoreSettings, until: string): PrintedFact => [
  "Valid until",
  day(store, dayIn(store.timezone, new Date(until))),
];

function printedItem(
  item: QuoteItem,
  { amounts, tax_components }: PricedLineAmounts,
  { store, currency }: { store: StoreSettings; currency: string },
): PrintedLine {
  const { quantity, dimensions } = item;
  const { unit_price, line_discount, line_tax, line_total } = amounts;
  const amount = (of: number) => plainAmount(store, of, currency);
  const sides = [dimensions?.width_mm, dimensions?.depth_mm, dimensions?.height_mm];
  const measures = sides.filter((side) => side != null).join(" × ");
  return {
    name: item.name,
    details: [
      ...lineDetails(item),
      ...(measures === "" ? [] : [`${measures} mm`]),
      ...(item.description === null ? [] : [item.description]),
    ],
    hsn: item.hsn_code ?? "",
    quantity: String(quantity),
    unitPrice: amount(unit_price),
    discount: line_discount > 0 ? amount(line_discount) : "",
    taxable: line_tax > 0 ? amount(line_total - line_tax) : "",
    tax: taxText(store, { tax: line_tax, tax_components }, currency),
    total: amount(line_total),
  };
}

function totalsOf(
  { items_subtotal, discount, tax, grand_total }: Totals,
  store: StoreSettings,
  currency: string,
): PrintedFact[] {
  const amount = (of: number) => money(store, of, currency);
  const isInclusive = items_subtotal - discount === grand_total;
  return [
    ["Items", amount(items_subtotal)],
    ...(discount === 0 ? [] : [["Discount", amount(-discount)] as const]),
    ...(tax === 0 ? [] : [[isInclusive ? "Of which tax" : "Tax", amount(tax)] as const]),
    ["Total", amount(grand_total)],
  ];
}
