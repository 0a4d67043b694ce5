import type { Shop } from "#shared/application/shop.ts";
import {
  type DueDocument,
  type StoredDocument,
  documentKey,
} from "#shared/domain/document/document.ts";
import { isNew } from "#shared/storage/conditions.ts";
import { Documents } from "#shared/storage/document/documents.ts";
import { Refused, type Write, put } from "#shared/storage/writes.ts";
import { drawDocument } from "#shared/documents/draw-document.ts";
import { openFonts } from "#shared/documents/fonts.ts";
import type { PrintedDocument } from "#shared/documents/printed-document.ts";
import { explaining, unprintable } from "#shared/documents/unprintable.ts";

interface Owned {
  readonly owner_id: string;
  readonly due: readonly DueDocument[];
  /** The documents that were made before. */
  readonly documents: readonly StoredDocument[];
}

interface Making {
  readonly content: PrintedDocument;
  /** Checks in the transaction that stores the document's row. */
  readonly guards: readonly Write[];
}

/**
 * Makes the due documents that have no row yet: draws each, stores the file, then the row. A crash in between leaves a
 * file without a row, which the next attempt overwrites. A document that has a row is never made again.
 *
 * @returns the documents that this call has made
 * @throws Refused when a guard fails
 */
export async function makeMissing(
  { owner_id, due, documents }: Owned,
  { table, documentFiles: files, log, now }: Shop<"table" | "documentFiles" | "log" | "now">,
  making: (document: DueDocument) => Making,
): Promise<DueDocument[]> {
  const known = new Set(documents.map((document) => documentKey(owner_id, document)));
  const made: DueDocument[] = [];
  for (const document of due) {
    const key = documentKey(owner_id, document);
    if (known.has(key)) continue;
    const { content, guards } = making(document);
    const at = now();
    const fonts = openFonts();
    const letters = unprintable(content, fonts.regular);
    if (letters.length > 0) {
      // The letters are those of a person's name or address, so they are not logged.
      log.warn("Document has letters that its font lacks", {
        document: key,
        count: letters.length,
      });
    }
    const bytes = await drawDocument(explaining(content, letters), fonts, at);
    await files.put(key, bytes, "application/pdf");
    const row = put(
      Documents,
      {
        ...document,
        owner_id,
        key,
        bytes: bytes.byteLength,
        made_at: at.toISOString(),
        removed_at: null,
      },
      isNew,
    );
    try {
      await table.transact([row, ...guards]);
      made.push(document);
    } catch (error) {
      // A concurrent worker has made the same document. If a guard was refused too, the document was removed meanwhile:
      // the repeat of this message removes the file again.
      const isMade = error instanceof Refused && error.failures.every(({ write }) => write === row);
      if (!isMade) throw error;
    }
  }
  return made;
}

/** Removes a document's file, and stores that it must not be made again. Safe to repeat. */
export async function removeDocument(
  place: Pick<StoredDocument, "owner_id" | "type" | "number">,
  { table, documentFiles: files, now }: Shop<"table" | "documentFiles" | "now">,
): Promise<void> {
  const row = await table.get(Documents, place);
  const key = documentKey(place.owner_id, place);
  if (!row || row.removed_at === null) {
    const at = now().toISOString();
    const issued_on = row?.issued_on ?? at.slice(0, 10);
    await table.write(
      put(Documents, { bytes: 0, made_at: at, ...row, ...place, issued_on, key, removed_at: at }),
    );
  }
  // An earlier attempt may have stored the row and failed here.
  await files.remove(key);
}
