import * as z from "zod";
import { Timestamp } from "../base/text.ts";

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
