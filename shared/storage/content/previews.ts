import { hash } from "node:crypto";
import * as z from "zod";
import { Slug } from "../../domain/base/names.ts";
import { Timestamp } from "../../domain/base/text.ts";
import { isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, put } from "../writes.ts";
import { PublishedKind } from "./due-publications.ts";

const Preview = z.object({
  kind: PublishedKind,
  id: z.string(),
  /** The draft's slug when the link was created, which is in the link's address; null for the homepage. */
  slug: Slug.nullable(),
  created_at: Timestamp,
  /** The staff user who created the link. */
  created_by: z.string(),
  expires_at: Timestamp,
});
export type Preview = z.output<typeof Preview>;

/** The draft that a preview link shows. The link's token itself is not stored. */
export const Previews = entity({
  name: "preview",
  notExported: "credential",
  schema: Preview,
  key: ({ token_hash }: { token_hash: string }) => ({ pk: `PREVIEW#${token_hash}`, sk: "PREVIEW" }),
  ttl: ({ expires_at }) => secondsOf(expires_at),
});

/** Whose links have ended: those to a record, or those of a staff user. */
export type PreviewSubject = Pick<Preview, "kind" | "id"> | { readonly kind: "staff"; id: string };

/** When the links of a subject were ended. Later links are not concerned. */
export const PreviewEnds = entity({
  name: "preview_end",
  notExported: "credential",
  schema: z.object({ kind: z.string(), id: z.string(), ended_at: Timestamp }),
  key: ({ kind, id }: PreviewSubject) => ({ pk: `PREVIEWEND#${kind}#${id}`, sk: "END" }),
  // No link of before is left by then.
  ttl: ({ ended_at }) => secondsOf(ended_at) + longestSeconds,
});

/** How long a link shows a draft. */
export const previewLifetimeMs = 24 * 3_600_000;
const longestSeconds = 2 * (previewLifetimeMs / 1000);

const secondsOf = (at: Timestamp): number => Math.ceil(Date.parse(at) / 1000);

const named = (token: string) => ({ token_hash: hash("sha256", token, "base64url") });

export const keepPreview = (token: string, preview: Preview): Write =>
  put(Previews, { ...named(token), ...preview }, isNew);

/** Ends all links of a subject that were created until now. */
export const endPreviews = (subject: PreviewSubject, now: Date): Write =>
  put(PreviewEnds, { ...subject, ended_at: now.toISOString() });

/**
 * The id of the draft that a link shows at this address; undefined if the link is unknown, has expired or was ended, or
 * belongs to another address.
 */
export async function findPreview(
  table: Pick<Table, "get" | "getMany">,
  token: string,
  { kind, slug }: Pick<Preview, "kind" | "slug">,
  now: Date,
): Promise<string | undefined> {
  const preview = await table.get(Previews, named(token));
  const counts =
    preview?.kind === kind &&
    preview.slug === slug &&
    Date.parse(preview.expires_at) > now.getTime();
  if (!counts) return undefined;
  const { id, created_at, created_by } = preview;
  const { ends } = await table.getMany({
    ends: [at(PreviewEnds, { kind, id }), at(PreviewEnds, { kind: "staff", id: created_by })],
  });
  return ends.some((end) => end && created_at <= end.ended_at) ? undefined : id;
}
