import { documentFilename } from "#shared/domain/document/document.ts";
import { type Attachment, type Letter, link, withBlock } from "#shared/mail/letter.ts";
import { type CarriedDocument, isCarried, patienceSeconds } from "../carried-document.ts";
import type { Deps } from "./deps.ts";

/** The document that a mail carries, and what the mail says without it. */
export interface Carried extends CarriedDocument {
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
  /** Seconds until the mail is sent without the document. */
  readonly seconds: number;

  constructor(seconds: number) {
    super();
    this.seconds = seconds;
  }
}

/**
 * Attaches documents to mails. A mail whose document is not made after two minutes links to it instead.
 *
 * @param wait.since when the mail was requested
 * @throws DocumentPending while the mail has to wait
 */
export const attachments =
  (documents: Deps["documents"], { since, now }: { since: string; now: Date }): Attach =>
  async (ownerId, carried, letter) => {
    const made = await documents(ownerId);
    const document = made.documents.find((each) => isCarried(each, carried, made));
    if (document?.removed_at === null) {
      const { key } = document;
      return { ...letter, attachment: { key, filename: documentFilename(document) } };
    }
    const seconds = patienceSeconds - (now.getTime() - Date.parse(since)) / 1000;
    if (!document && seconds > 0) throw new DocumentPending(Math.ceil(seconds));
    const later =
      carried.link === null ? letter : withBlock(letter, link("Open your documents", carried.link));
    return { ...later, attachment: null };
  };
