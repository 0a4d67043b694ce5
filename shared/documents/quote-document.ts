import { amountInWords } from "#shared/domain/document/amount-in-words.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import type { DueDocument } from "#shared/domain/document/document.ts";
import { type QuoteTotals, quoteTotals } from "#shared/domain/enquiry/quote-view.ts";
import type { QuoteItem } from "#shared/domain/enquiry/quote-item.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import { priceLine } from "#shared/domain/pricing/totals.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import type { TaxSettings } from "#shared/domain/settings/tax-settings.ts";
import { day, money } from "#shared/mail/wording.ts";
import type { Fact, PrintedDocument, PrintedLine } from "./printed-document.ts";
import { lineDetails, plainAmount, sellerLines, taxText } from "./texts.ts";

interface ForQuotes {
  readonly store: StoreSettings;
  readonly tax: TaxSettings;
}

/**
 * The offer of a quote that was sent.
 *
 * @throws TypeError when a line has no price, which a sent quote's lines have
 */
export function quoteDocument(
  quote: StoredQuote,
  due: DueDocument,
  settings: ForQuotes,
): PrintedDocument {
  const { store, tax } = settings;
  const totals = quoteTotals(quote.items, tax);
  if (!totals) throw new TypeError("A sent quote has a line without a price");
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
    lines: quote.items.map((item) => printedItem(item, currency, settings)),
    totals: totalsOf(totals, store, currency),
    payments: [],
    inWords: amountInWords(totals.total, currency),
    taxes: null,
    notes: [
      ...(shipping_note === null ? [] : [`Delivery: ${shipping_note}`]),
      "Delivery is added at checkout, and tax is computed for the place of delivery.",
    ],
  };
}

const validity = (store: StoreSettings, until: string): Fact => [
  "Valid until",
  day(store, dayIn(store.timezone, new Date(until))),
];

function printedItem(item: QuoteItem, currency: string, { store, tax }: ForQuotes): PrintedLine {
  const { unit_price, quantity, tax_class, dimensions } = item;
  const price = unit_price ?? 0;
  const line = { unit_price: price, tax_class };
  const sum = { subtotal: price * quantity, discount: 0 };
  const { amounts, tax_components } = priceLine(line, sum, tax, null);
  const { line_tax, line_total } = amounts;
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
    unitPrice: amount(price),
    discount: "",
    taxable: line_tax > 0 ? amount(line_total - line_tax) : "",
    tax: taxText(store, { tax: line_tax, tax_components }, currency),
    total: amount(line_total),
  };
}

function totalsOf(
  { items_subtotal, tax, total }: QuoteTotals,
  store: StoreSettings,
  currency: string,
): Fact[] {
  const amount = (of: number) => money(store, of, currency);
  const isInclusive = items_subtotal === total;
  return [
    ["Items", amount(items_subtotal)],
    ...(tax === 0 ? [] : [[isInclusive ? "Of which tax" : "Tax", amount(tax)] as const]),
    ["Total", amount(total)],
  ];
}
