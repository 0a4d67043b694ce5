import { productStorage } from "#shared/application/catalog/product-storage.ts";
import { saveSellable } from "#shared/application/catalog/save-sellable.ts";
import { sofaStorage } from "#shared/application/catalog/sofa-storage.ts";
import { skuRequestsOf } from "#shared/application/catalog/stock-claims.ts";
import type { Saving } from "#shared/application/saving.ts";
import type { PublicationStatus } from "#shared/domain/base/names.ts";
import { type PublicationAction, withoutTime } from "#shared/domain/base/publication-schedule.ts";
import type { Product, Sellable } from "#shared/domain/catalog/product.ts";
import { withStatus } from "#shared/domain/catalog/sellable-times.ts";
import { type ContentDocument, unpublished } from "#shared/domain/content/document.ts";
import type { Sofa } from "#shared/domain/sofa/sofa.ts";
import { Products, Sofas } from "#shared/storage/catalog/catalog.ts";
import type { Condition } from "#shared/storage/conditions.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Write, put } from "#shared/storage/writes.ts";
import { type DocumentKind, type Draft, homepage, pages, stories } from "./document-kinds.ts";
import { readDraft } from "./document-store.ts";
import { putDraft, saveDocument } from "./save-document.ts";

/**
 * How the schedule publishes and unpublishes one kind of record. The rules and writes are those of the routes for
 * staff.
 */
export interface DueKind<Record> {
  read(table: Table, id: string): Promise<Record | undefined>;
  labelOf(record: Record): string;
  /**
   * Publishes or unpublishes the record, and clears the time that was set for this.
   *
   * @throws AppError when a rule refuses the action; Refused on a conflict
   */
  run(record: Record, action: PublicationAction, saving: Saving): Promise<unknown>;
  /** The write that stores the draft and changes nothing else. */
  put(record: Record, condition: Condition): Write;
}

/** The status after an action. Only a draft is published, and only a published record is unpublished. */
const statusAfter = (status: PublicationStatus, action: PublicationAction): PublicationStatus => {
  if (action === "publish") return status === "draft" ? "published" : status;
  return status === "published" ? "draft" : status;
};

/** A product or sofa after an action. */
const sellableAfter = <Record extends Sellable>(
  record: Record,
  action: PublicationAction,
  now: Date,
): Record =>
  withStatus(record, {
    status: statusAfter(record.status, action),
    times: withoutTime(action),
    now,
  });

export const dueProducts: DueKind<Product> = {
  read: (table, id) => table.get(Products, { id }),
  labelOf: ({ name }) => name,
  run(product, action, saving) {
    const after = sellableAfter(product, action, saving.audit.now);
    return saveSellable(productStorage(skuRequestsOf(after.variants)), product, after, saving);
  },
  put: (product, condition) => put(Products, product, condition),
};

export const dueSofas: DueKind<Sofa> = {
  read: (table, id) => table.get(Sofas, { id }),
  labelOf: ({ name }) => name,
  run(sofa, action, saving) {
    return saveSellable(sofaStorage, sofa, sellableAfter(sofa, action, saving.audit.now), saving);
  },
  put: (sofa, condition) => put(Sofas, sofa, condition),
};

const dueDocuments = (kind: DocumentKind): DueKind<Draft> => ({
  read: (table, id) => readDraft(kind, table, id),
  labelOf: (document) => kind.namesOf(document).label,
  run(before, action, saving) {
    const { now } = saving.audit;
    if (action === "publish") {
      return saveDocument(kind, "publish", { before, after: kind.published(before, now) }, saving);
    }
    // Only pages and stories have a time at which they are unpublished.
    const after = { ...unpublished(before as ContentDocument, now), ...withoutTime(action) };
    const verb = kind.copyOf(before) ? "unpublish" : "update";
    return saveDocument(kind, verb, { before, after }, saving);
  },
  put: (document, condition) => putDraft(kind, document, condition),
});

export const duePages = dueDocuments(pages);
export const dueStories = dueDocuments(stories);
export const dueHomepage = dueDocuments(homepage);
