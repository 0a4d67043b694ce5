import { type DueDocument, StoredDocument } from "../../domain/document/document.ts";
import { CreditNotes } from "../order/credit-notes.ts";
import { documentPartition } from "../order/numbered-notes.ts";
import { Vouchers } from "../order/vouchers.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";

type Place = Pick<StoredDocument, "owner_id"> & Pick<DueDocument, "type" | "number">;

/** The documents that were made for an order or a quote. */
export const Documents = entity({
  name: "document",
  notExported: "derived",
  schema: StoredDocument,
  key: ({ owner_id, type, number }: Place) => ({
    pk: documentPartition(owner_id),
    sk: `DOCUMENT#${type}#${number}`,
  }),
});

/** The credit notes, vouchers and documents of an order, or the documents of a quote; each sorted by their keys. */
export const documentsOf = (table: Pick<Table, "getPartition">, ownerId: string) =>
  table.getPartition(documentPartition(ownerId), {
    creditNotes: CreditNotes,
    vouchers: Vouchers,
    documents: Documents,
  });
