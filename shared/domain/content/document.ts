import * as z from "zod";
import { PublicationStatus, Slug } from "../base/names.ts";
import { publicationTimes } from "../base/publication-times.ts";
import { Timestamp } from "../base/text.ts";

/** The publication state of a page or story. */
export const documentState = {
  status: PublicationStatus.exclude(["archived"]),
  version: z.int().min(1),
  published: z
    .object({ slug: Slug, version: z.int().min(1) })
    .nullable()
    .meta({
      description:
        "Version and slug of the published copy; null while unpublished. A later version means a newer draft",
    }),
  ...publicationTimes,
  published_at: Timestamp.nullable().meta({ description: "Time of the first publication" }),
  created_at: Timestamp,
  updated_at: Timestamp,
};
const DocumentState = z.object(documentState);
export type DocumentState = z.output<typeof DocumentState>;

/** The members that pages and stories share. */
export type ContentDocument = DocumentState & { id: string; slug: string; title: string };

export const newState = (now: Date): DocumentState => ({
  status: "draft",
  version: 1,
  published: null,
  publish_at: null,
  unpublish_at: null,
  published_at: null,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
});

/** The next version of a document, with its new content. */
export const nextDraft = <Of extends ContentDocument>(
  of: Of,
  content: Partial<Of>,
  now: Date,
): Of => ({
  ...of,
  ...content,
  version: of.version + 1,
  updated_at: now.toISOString(),
});

/**
 * The document after publishing, which clears `publish_at`. Unchanged if its current version is public and no time is
 * set.
 */
export function published<Of extends ContentDocument>(of: Of, now: Date): Of {
  if (of.published?.version === of.version && of.publish_at === null) return of;
  const next = nextDraft(of, {}, now);
  return {
    ...next,
    publish_at: null,
    status: "published",
    published: { slug: of.slug, version: next.version },
    published_at: of.published_at ?? now.toISOString(),
  };
}

/** The document after unpublishing, which clears `unpublish_at`. */
export const unpublished = <Of extends ContentDocument>(of: Of, now: Date): Of => ({
  ...nextDraft(of, {}, now),
  unpublish_at: of.published ? null : of.unpublish_at,
  status: "draft",
  published: null,
});

/** The slugs that a document holds: the slug of its draft and, if it differs, the slug of its published copy. */
export const documentSlugs = (
  of: Pick<ContentDocument, "slug" | "published"> | undefined,
): Set<string> => new Set(of ? [of.slug, ...(of.published ? [of.published.slug] : [])] : []);
