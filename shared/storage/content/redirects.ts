import * as z from "zod";
import {
  Redirect,
  type Redirects,
  redirectId,
  redirectReferences,
} from "../../domain/content/redirect.ts";
import { Timestamp } from "../../domain/base/text.ts";
import { rowChanges } from "../../domain/base/versioned-rows.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove, replace } from "../writes.ts";

export const redirectPartition = "REDIRECTS";

const StoredRedirect = Redirect.extend({
  id: z.string(),
  version: z.int().min(1),
  created_at: Timestamp,
});
export type StoredRedirect = z.output<typeof StoredRedirect>;

/**
 * A redirect that staff wrote, or that was added when a slug was renamed. The public reads direct redirects instead of
 * chains.
 */
export const RedirectRows = entity({
  name: "redirect",
  isPublic: true,
  schema: StoredRedirect,
  // A redirect to a record is deleted with the record.
  refers: {
    to: ["redirect_host"],
    references: redirectReferences,
    list: { partition: redirectPartition, prefix: "REDIRECT#" },
    label: ({ from }) => from,
  },
  key: ({ id }: { id: string }) => ({ pk: redirectPartition, sk: `REDIRECT#${id}` }),
});

/**
 * A version that rises with every change of a redirect. So two concurrent changes conflict, because the check for loops
 * covers all redirects.
 */
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

/** The writes that change the stored redirects from `before` to `redirects`; empty if nothing changes. */
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
      replace(
        RedirectMaps,
        { version },
        before.version > 0 ? is("version", before.version) : isNew,
      ),
      ...changes.stored.map(({ before: was, after }) =>
        put(RedirectRows, { ...was, ...after }, was ? is("version", was.version) : isNew),
      ),
      ...changes.removed.map(({ id, version: at }) =>
        remove(RedirectRows, { id }, is("version", at)),
      ),
    ],
  };
}
