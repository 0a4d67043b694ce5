import { hash } from "node:crypto";
import * as z from "zod";
import { Slug } from "../../domain/base/names.ts";
import { Timestamp } from "../../domain/base/text.ts";
import { isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put } from "../writes.ts";
import { PublishedKind } from "./due-publications.ts";

const Preview = z.object({
  kind: PublishedKind,
  id: z.string(),
  /** The draft's slug when the link was created, which is in the link's address; null for the homepage. */
  slug: Slug.nullable(),
  expires_at: Timestamp,
});
export type Preview = z.output<typeof Preview>;

/** The draft that a preview link shows. The link's token itself is not stored. */
export const Previews = entity({
  name: "preview",
  notExported: "credential",
  schema: Preview,
  key: ({ token_hash }: { token_hash: string }) => ({ pk: `PREVIEW#${token_hash}`, sk: "PREVIEW" }),
  ttl: ({ expires_at }) => Math.ceil(Date.parse(expires_at) / 1000),
});

const named = (token: string) => ({ token_hash: hash("sha256", token, "base64url") });

export const keepPreview = (token: string, preview: Preview): Write =>
  put(Previews, { ...named(token), ...preview }, isNew);

/**
 * The id of the draft that a link shows at this address; undefined if the link is unknown or has expired, or belongs to
 * another address.
 */
export async function findPreview(
  table: Pick<Table, "get">,
  token: string,
  { kind, slug }: Pick<Preview, "kind" | "slug">,
  now: Date,
): Promise<string | undefined> {
  const preview = await table.get(Previews, named(token));
  const counts =
    preview?.kind === kind &&
    preview.slug === slug &&
    Date.parse(preview.expires_at) > now.getTime();
  return counts ? preview.id : undefined;
}
