import {
  type Document,
  type StoredDocument,
  documentFilename,
  documentLinkSeconds,
} from "../../domain/document/document.ts";
import type { LinkTo } from "../../files/signed-link.ts";

/** Signs a link to each document that still has a file, in the sequence in which they were made. */
export type DocumentLinks = (
  documents: readonly StoredDocument[],
  now: Date,
) => Promise<Document[]>;

/** Links are signed without a request. The SDK of S3 is imported at the first call. */
export function openDocumentLinks(options: {
  bucket: string;
  endpoint?: string | undefined;
}): DocumentLinks {
  let opened: Promise<LinkTo> | undefined;
  return async (documents, now) => {
    opened ??= import("../../files/signed-link.ts").then(({ openLinks }) => openLinks(options));
    const linkTo = await opened;
    const link = { lifetimeSeconds: documentLinkSeconds, now };
    const kept = documents
      .filter(({ removed_at }) => removed_at === null)
      .toSorted((one, other) => one.made_at.localeCompare(other.made_at));
    return Promise.all(
      kept.map(async (document) => {
        const { key, type, number, issued_on } = document;
        const url = await linkTo(key, { ...link, filename: documentFilename(document) });
        return { type, number, issued_on, url };
      }),
    );
  };
}
