import * as z from "zod";
import { Redirect, type Redirects, redirectId } from "../../domain/content/redirect.ts";
import { Timestamp } from "../../domain/base/text.ts";
import { rowChanges } from "../../domain/base/versioned-rows.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

export const redirectPartition = "REDIRECTS";

const StoredRedirect = Redirect.extend({
  id: z.string(),
  version: z.int().min(1),
  created_at: Timestamp,
});
export type StoredRedirect = z.output<typeof StoredRedirect>;

/** A redirect as staff wrote it, or as a renamed slug left it. The public reads chains as one hop. */
export const RedirectRows = entity({
  name: "redirect",
  schema: StoredRedirect,
  key: ({ id }: { id: string }) => ({ pk: redirectPartition, sk: `REDIRECT#${id}` }),
});

/** A version that rises with every change of a redirect: the check for loops covers all redirects. */
export const RedirectMaps = entity({
  name: "redirect_map",
  schema: z.object({ version: z.int().min(1) }),
  key: () => ({ pk: redirectPartition, sk: "MAP" }),
});

/** All redirects, the oldest first. */
export interface StoredRedirects extends Redirects {
  redirects: StoredRedirect[];
}

/** Version 0 means that no redirect was ever created. */
export async function readRedirects(table: Pick<Table, "getPartition">): Promise<StoredRedirects> {
  const kinds = { redirects: RedirectRows, maps: RedirectMaps };
  const { redirects, maps } = await table.getPartition(redirectPartition, kinds);
  const age = ({ created_at, from }: StoredRedirect) => `${created_at}#${from}`;
  return {
    redirects: redirects.toSorted((one, other) => (age(one) < age(other) ? -1 : 1)),
    version: maps[0]?.version ?? 0,
  };
}

type NamedRedirect = Redirect & { id: string };
const named = ({ from, to, status }: Redirect): NamedRedirect => ({
  id: redirectId(from),
  from,
  to,
  status,
});

/** The writes that turn the redirects that were read into the new ones; none if nothing changes. */
export function changeRedirects(
  before: StoredRedirects,
  redirects: readonly Redirect[],
  now: Date,
): { writes: Write[]; after: StoredRedirects } {
  const changes = rowChanges<NamedRedirect>(
    before.redirects,
    redirects.map(named),
    ({ id }) => id,
    now,
  );
  if (changes.stored.length + changes.removed.length === 0) return { writes: [], after: before };
  const version = before.version + 1;
  return {
    after: { redirects: changes.rows, version },
    writes: [
      put(RedirectMaps, { version }, before.version > 0 ? is("version", before.version) : isNew),
      ...changes.stored.map(({ before: was, after }) =>
        put(RedirectRows, after, was ? is("version", was.version) : isNew),
      ),
      ...changes.removed.map(({ id, version: at }) =>
        remove(RedirectRows, { id }, is("version", at)),
      ),
    ],
  };
}
