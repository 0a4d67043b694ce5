import { amountInWords } from "#shared/domain/document/amount-in-words.ts";
import { taxByHsn, type DueDocument } from "#shared/domain/document/document.ts";
import { supplyState } from "#shared/domain/contact/place-of-supply.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import type { Credit } from "#shared/domain/order/invoice/credit-supply.ts";
import {
  invoicedSupplies,
  invoicesOver,
  wholeSupply,
} from "#shared/domain/order/invoice/invoiced-supplies.ts";
import { type PrintedSupply, printedSupply } from "#shared/domain/order/invoice/invoice-view.ts";
import {
  asPlaced,
  type Invoice,
  type StoredOrder,
  isCollected,
} from "#shared/domain/order/order.ts";
import { amountDue } from "#shared/domain/payment/owing.ts";
import type { PaymentSettings } from "#shared/domain/settings/settings.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import { day, deliveryTime, money } from "#shared/mail/wording.ts";
import type {
  PrintedFact,
  PrintedDocument,
  PrintedLine,
  PrintedTable,
} from "./printed-document.ts";
import {
  addressLines,
  countryName,
  lineDetails,
  percent,
  plainAmount,
  sellerLines,
  taxIdLabel,
  taxText,
} from "./texts.ts";

interface ForDocuments {
  readonly store: StoreSettings;
  readonly payments: PaymentSettings;
}

/** What was ordered, at the agreed prices: the order as it was placed, whatever has changed since. */
export function orderConfirmation(
  current: StoredOrder,
  due: DueDocument,
  { store, payments }: ForDocuments,
): PrintedDocument {
  const order = asPlaced(current);
  return {
    ...supplyDocument(order, printedSupply(order, wholeSupply(order)), store),
    title: "Order confirmation",
    number: due.number,
    facts: [
      ["Date", day(store, due.issued_on)],
      ["Payment", payments[order.payment_method].label],
      [isCollected(order) ? "Collect" : "Delivery", deliveryTime(store, order)],
    ],
    payments: partsOf(order, store),
    notes: ["This is not a tax invoice. You receive the invoice when your order is sent."],
  };
}

/** What an invoice charges for: everything still to be supplied at the first dispatch, or what was added since. */
export function invoiceDocument(
  order: StoredOrder,
  due: DueDocument,
  { store }: Pick<ForDocuments, "store">,
): PrintedDocument {
  const { number: first } = order.invoice ?? due;
  const own = invoicedSupplies(order).find(({ invoice }) => invoice?.number === due.number);
  const supply = printedSupply(order, own?.supply ?? wholeSupply(order));
  const supplementTo: PrintedFact[] =
    due.number === first ? [] : [["Supplement to invoice", first]];
  return {
    ...supplyDocument(order, supply, store),
    payments: receivedOf(order, supply.totals.grand_total, store),
    title: supply.totals.tax === 0 ? "Invoice" : "Tax invoice",
    number: due.number,
    facts: [
      ["Date", day(store, due.issued_on)],
      ...supplementTo,
      ...ordered(order, store),
      ...placeOfSupply(order),
    ],
    notes: [],
  };
}

/** What a credit takes off the invoices. */
export function creditNoteDocument(
  order: StoredOrder,
  due: DueDocument,
  { credit, reason }: Pick<Credit, "credit"> & { readonly reason: string },
  { store }: Pick<ForDocuments, "store">,
): PrintedDocument {
  const against = invoicesOver(order, credit).flatMap(({ invoice }) => invoice ?? []);
  return {
    // What the shop keeps of units that came back is no discount.
    ...supplyDocument(order, printedSupply(order, credit), store, "Deducted"),
    title: "Credit note",
    number: due.number,
    facts: [
      ["Date", day(store, due.issued_on)],
      ...againstInvoices(against, store),
      ...ordered(order, store),
      ...placeOfSupply(order),
    ],
    notes: [`Reason: ${reason}.`],
  };
}

/** The invoices that a credit note is against, in one fact if there are several. */
function againstInvoices(invoices: readonly Invoice[], store: StoreSettings): PrintedFact[] {
  const [first, ...others] = invoices;
  if (!first) return [];
  if (others.length === 0) {
    return [
      ["Against invoice", first.number],
      ["Invoice date", day(store, first.issued_on)],
    ];
  }
  const named = invoices.map(({ number, issued_on }) => `${number} of ${day(store, issued_on)}`);
  return [["Against invoices", named.join(", ")]];
}

/** The deposit and the balance of an order, as agreed. */
function partsOf({ deposit, totals, currency }: StoredOrder, store: StoreSettings): PrintedFact[] {
  if (!deposit) return [];
  const amount = (of: number) => money(store, of, currency);
  return [
    ["Deposit", amount(deposit.amount)],
    ["Balance before dispatch", amount(totals.grand_total - deposit.amount)],
  ];
}

/** What was paid of an invoice's total, and what is still to be paid, if the order is paid in parts. */
function receivedOf(order: StoredOrder, total: number, store: StoreSettings): PrintedFact[] {
  if (!order.deposit) return [];
  const due = Math.min(total, amountDue(order));
  const amount = (of: number) => money(store, of, order.currency);
  const toPay = order.payment_method === "cod" ? "To be paid on delivery" : "To be paid";
  return [["Paid", amount(total - due)], ...(due > 0 ? [[toPay, amount(due)] as const] : [])];
}

export const ordered = (
  { number, placed_at }: StoredOrder,
  store: StoreSettings,
): PrintedFact[] => [
  ["Order", number],
  ["Ordered on", day(store, dayIn(store.timezone, new Date(placed_at)))],
];

/** Where the supply is taxed: in India the state with its GST code. */
export function placeOfSupply({ addresses }: StoredOrder): PrintedFact[] {
  const { state, country } = addresses.shipping;
  const of = supplyState(addresses.shipping);
  const name = [state, countryName(country)].filter(Boolean).join(", ");
  return [["Place of supply", of ? `${of.name} (${of.gst_code})` : name]];
}

/** Parties, lines, totals and taxes of a supply. @param discountHead what it calls the discount */
export function supplyDocument(
  order: StoredOrder,
  supply: PrintedSupply,
  store: StoreSettings,
  discountHead = "Discount",
): Pick<
  PrintedDocument,
  "seller" | "parties" | "lines" | "discountHead" | "totals" | "payments" | "inWords" | "taxes"
> {
  const { addresses, tax_id, customer, currency } = order;
  const { grand_total } = supply.totals;
  const taxed = supply.totals.tax > 0;
  return {
    seller: sellerLines(store),
    parties: [
      {
        title: "Bill to",
        lines: [
          ...addressLines(addresses.billing),
          ...(tax_id === null ? [] : [`${taxIdLabel(store)}: ${tax_id}`]),
          customer.phone,
          ...(customer.email === null ? [] : [customer.email]),
        ],
      },
      {
        title: isCollected(order) ? "Collected by" : "Ship to",
        lines: addressLines(addresses.shipping),
      },
    ],
    lines: supply.lines.map((line) => printedLine(line, store, { currency, taxed })),
    discountHead,
    totals: totalsOf(supply, store, { currency, discountHead }),
    payments: [],
    inWords: amountInWords(grand_total, currency),
    taxes: taxed ? taxTable(supply, store, currency) : null,
  };
}

function printedLine(
  line: PrintedSupply["lines"][number],
  store: StoreSettings,
  { currency, taxed }: { currency: string; taxed: boolean },
): PrintedLine {
  const amount = (of: number) => plainAmount(store, of, currency);
  const hasUnits = line.quantity > 0;
  return {
    name: line.name,
    details: lineDetails(line),
    hsn: line.hsn_code ?? "",
    quantity: hasUnits ? String(line.quantity) : "",
    unitPrice: hasUnits ? amount(line.unit_price) : "",
    discount: line.line_discount > 0 ? amount(line.line_discount) : "",
    taxable: taxed ? amount(line.taxable) : "",
    tax: taxText(store, line, currency),
    total: amount(line.line_total),
  };
}

/** The totals add up whether or not the shop's prices include tax. A tax that they include stands last before the sum. */
function totalsOf(
  supply: PrintedSupply,
  store: StoreSettings,
  { currency, discountHead }: { readonly currency: string; readonly discountHead: string },
): PrintedFact[] {
  const { items_subtotal, discount, shipping, shipping_tax, tax, rounding, grand_total } =
    supply.totals;
  const amount = (of: number) => money(store, of, currency);
  const isInclusive = items_subtotal - discount + shipping + rounding === grand_total;
  const roundOff = `${rounding < 0 ? "−" : ""}${amount(Math.abs(rounding))}`;
  return [
    ["Items", amount(items_subtotal)],
    ...(discount > 0 ? [[discountHead, `−${amount(discount)}`] as const] : []),
    ...(shipping > 0 ? [[supply.shipping.label, amount(shipping)] as const] : []),
    ...(isInclusive ? [] : [["Tax on the items", amount(tax - shipping_tax)] as const]),
    ...(rounding === 0 ? [] : [["Round off", roundOff] as const]),
    ...(isInclusive && tax > 0 ? [["Of which tax", amount(tax)] as const] : []),
    ["Total", amount(grand_total)],
  ];
}

/** The taxes by HSN code and rate, with their sums in the last row. */
function taxTable(supply: PrintedSupply, store: StoreSettings, currency: string): PrintedTable {
  const amount = (of: number) => plainAmount(store, of, currency);
  const goods = taxByHsn([
    ...supply.lines,
    { ...supply.shipping, hsn_code: supply.shipping.label },
  ]);
  const labels = new Map(
    goods.flatMap(({ tax_components }) => tax_components.map(({ code, label }) => [code, label])),
  );
  const codes = [...labels.keys()];
  const sum = (of: (row: (typeof goods)[number]) => number) =>
    goods.reduce((total, row) => total + of(row), 0);
  const inCode = (row: (typeof goods)[number], code: string) =>
    row.tax_components.find((component) => component.code === code);
  return {
    title: "Tax by HSN code and rate",
    head: [`HSN (amounts in ${currency})`, "Taxable", ...labels.values(), "Tax"],
    rows: [
      ...goods.map((row) => [
        row.hsn_code ?? "–",
        amount(row.taxable),
        ...codes.map((code) => {
          const component = inCode(row, code);
          return component ? `${percent(component.bps)} · ${amount(component.amount)}` : "–";
        }),
        amount(row.tax),
      ]),
      [
        "Total",
        amount(sum(({ taxable }) => taxable)),
        ...codes.map((code) => amount(sum((row) => inCode(row, code)?.amount ?? 0))),
        amount(sum(({ tax }) => tax)),
      ],
    ],
  };
}
