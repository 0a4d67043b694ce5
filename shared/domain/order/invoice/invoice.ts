import type { Invoice } from "../order.ts";
import type { StoreSettings } from "../../settings/store-settings.ts";
import type { TaxSettings } from "../../settings/tax-settings.ts";
import { dayIn } from "../../base/day.ts";

/** The invoices, credit notes or vouchers of one financial year, numbered consecutively. */
export interface InvoiceSeries {
  /** The prefix of the numbers, such as `FS/26-27`. */
  readonly name: string;
  /** The date of a document issued now. */
  readonly issued_on: string;
}

/** An invoice that has yet to get its number. */
export interface InvoiceRequest extends InvoiceSeries {
  /** Id of the shipment whose dispatch requests it. */
  readonly shipment_id: string;
  /** Whether it is a supplement to the order's first invoice. */
  readonly supplement: boolean;
}

/** The series of invoices that are issued now, in the shop's timezone. */
export function invoiceSeries(
  { store, tax }: { store: Pick<StoreSettings, "timezone">; tax: Pick<TaxSettings, "invoice"> },
  now: Date,
): InvoiceSeries {
  const issued_on = dayIn(store.timezone, now);
  const { prefix, year_starts_month } = tax.invoice;
  const [year = 0, month = 0] = issued_on.split("-").map(Number);
  const first = month >= year_starts_month ? year : year - 1;
  const label = year_starts_month === 1 ? String(first) : `${short(first)}-${short(first + 1)}`;
  return { name: `${prefix}/${label}`, issued_on };
}

const short = (year: number) => String(year % 100).padStart(2, "0");

/** @param position of the invoice in its series, from 1 */
export function invoiceAt({ name, issued_on }: InvoiceSeries, position: number): Invoice {
  return { number: `${name}/${String(position).padStart(6, "0")}`, issued_on };
}

/** The letter by which the numbers of each further type of document differ from those of invoices. */
const letters = { credit_note: "C", receipt_voucher: "R", refund_voucher: "V" };

/** A type of document that is numbered like invoices. */
export type NoteType = keyof typeof letters;

/** The series of credit notes or vouchers at a given time. */
export function noteSeries(
  type: NoteType,
  settings: Parameters<typeof invoiceSeries>[0],
  now: Date,
): InvoiceSeries {
  const { name, issued_on } = invoiceSeries(settings, now);
  return { name: `${name}/${letters[type]}`, issued_on };
}

/** @param position of the credit note or voucher in its series, from 1 */
export function noteAt({ name, issued_on }: InvoiceSeries, position: number): Invoice {
  return { number: name + String(position).padStart(5, "0"), issued_on };
}
