import * as z from "zod";
import { Timestamp } from "../base/text.ts";
import type { TaxComponent } from "../pricing/tax.ts";

/** The documents of orders, and of quotes (`quote`). */
export const DocumentType = z.enum([
  "order_confirmation",
  "invoice",
  "credit_note",
  "receipt_voucher",
  "refund_voucher",
  "quote",
]);
export type DocumentType = z.output<typeof DocumentType>;

/** A PDF that was made for an order or a quote. Its file never changes. */
export const StoredDocument = z.object({
  /** Id of the order or quote. */
  owner_id: z.string(),
  type: DocumentType,
  number: z.string(),
  issued_on: z.iso.date(),
  /** The file's key in the bucket of documents. */
  key: z.string(),
  bytes: z.int(),
  made_at: Timestamp,
  /** When the file was removed, because its person was erased. */
  removed_at: Timestamp.nullable(),
});
export type StoredDocument = z.output<typeof StoredDocument>;

/** A document that the owner of an order or quote must have. */
export type DueDocument = Pick<StoredDocument, "type" | "number" | "issued_on">;

/** The number of a quote's PDF. Each revision has its own. */
export const quoteDocumentNumber = (quote: { reference: string; revision: number }): string =>
  `${quote.reference}-${quote.revision}`;

/** The file's key: the same for every attempt to make the document. */
export const documentKey = (
  owner: string,
  { type, number }: Pick<DueDocument, "type" | "number">,
): string => `${owner}/${type}/${inFileName(number)}.pdf`;

/** The name under which the file is saved, in ASCII. */
export const documentFilename = ({ type, number }: Pick<DueDocument, "type" | "number">): string =>
  `${type.replaceAll("_", "-")}-${inFileName(number)}.pdf`;

const inFileName = (number: string): string => number.replaceAll(/[^A-Za-z0-9-]/g, "-");

/** A document with a link to its file. */
export const Document = StoredDocument.pick({ type: true, number: true, issued_on: true })
  .extend({
    url: z
      .url()
      .meta({ description: "Link to the PDF, valid for 15 minutes for anyone who has it" }),
  })
  .meta({ id: "Document" });
export type Document = z.output<typeof Document>;

/** How long the link to a document is valid. */
export const documentLinkSeconds = 15 * 60;

/** An amount with its tax, and the HSN code of the goods or the name of the service; null for goods without a code. */
interface TaxedGoods {
  readonly hsn_code: string | null;
  readonly taxable: number;
  readonly tax: number;
  readonly tax_components: readonly TaxComponent[];
}

/** The tax of all goods with one HSN code and the same rates. */
interface TaxRow {
  readonly hsn_code: string | null;
  readonly taxable: number;
  readonly tax: number;
  readonly tax_components: readonly TaxComponent[];
}

/** The taxes by HSN code and rates, in the sequence in which they first occur. Goods without any amount are left out. */
export function taxByHsn(goods: readonly TaxedGoods[]): TaxRow[] {
  const rows = new Map<string, TaxRow>();
  for (const { hsn_code, taxable, tax, tax_components } of goods) {
    if (taxable === 0 && tax === 0) continue;
    const rates = tax_components.map(({ code, bps }) => `${code} ${bps}`);
    const key = JSON.stringify([hsn_code, rates]);
    const sum = rows.get(key);
    rows.set(key, {
      hsn_code,
      taxable: (sum?.taxable ?? 0) + taxable,
      tax: (sum?.tax ?? 0) + tax,
      tax_components: tax_components.map((component, index) => ({
        ...component,
        amount: (sum?.tax_components[index]?.amount ?? 0) + component.amount,
      })),
    });
  }
  return [...rows.values()];
}
