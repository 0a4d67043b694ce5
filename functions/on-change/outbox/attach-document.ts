import { type StoredDocument, documentFilename } from "#shared/domain/document/document.ts";
import { type Attachment, type Letter, link, withBlock } from "#shared/mail/letter.ts";
import type { Deps } from "./deps.ts";

/** The document that a mail carries. A credit note is named by its credit, any other document by its number. */
export interface Carried {
  readonly type: StoredDocument["type"];
  /** Undefined if it has no number yet. */
  readonly number?: string | undefined;
  readonly credit_id?: string | undefined;
  /** The page that a mail without its document links to; null if the mail needs no further link. */
  readonly link: string | null;
}

/** Adds a document to a mail. */
export type Attach = (
  ownerId: string,
  carried: Carried,
  letter: Letter,
) => Promise<Letter & { readonly attachment: Attachment | null }>;

/** Thrown while a mail waits for a document that is not made yet. */
export class DocumentPending extends Error {
  override readonly name = "DocumentPending";
}

/** A mail waits at most this long for its document. */
const patienceMs = 120_000;

/**
 * Attaches documents to mails. A mail whose document is not made after two minutes links to it instead.
 *
 * @param wait.since when the mail was requested
 * @throws DocumentPending while the mail has to wait
 */
export const attachments =
  (documents: Deps["documents"], { since, now }: { since: string; now: Date }): Attach =>
  async (ownerId, carried, letter) => {
    const document = madeOf(await documents(ownerId), carried);
    if (document?.removed_at === null) {
      const { key } = document;
      return { ...letter, attachment: { key, filename: documentFilename(document) } };
    }
    if (!document && now.getTime() - Date.parse(since) < patienceMs) throw new DocumentPending();
    const later =
      carried.link === null ? letter : withBlock(letter, link("Open your documents", carried.link));
    return { ...later, attachment: null };
  };

function madeOf(
  { creditNotes, documents }: Awaited<ReturnType<Deps["documents"]>>,
  { type, number, credit_id }: Carried,
): StoredDocument | undefined {
  const named =
    type === "credit_note" ? creditNotes.find(({ id }) => id === credit_id)?.number : number;
  return documents.find((document) => document.type === type && document.number === named);
}
