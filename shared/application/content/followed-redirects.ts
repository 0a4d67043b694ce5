import type { Redirect } from "../../domain/content/redirect.ts";
import { type AuditContext, recordActivity } from "../../storage/staff/activity.ts";
import { type StoredRedirects, changeRedirects } from "../../storage/content/redirects.ts";
import type { Write } from "../../storage/writes.ts";
import { inUse } from "../require-references.ts";

/** DynamoDB allows 100 writes in a transaction. This leaves 20 for the other writes that move or delete the record. */
const mostChanges = 80;

/**
 * The writes that update the redirect map after a record moved or was deleted, or the paths of pages changed, with their activity record.
 *
 * @param redirects the new map; undefined if it stays unchanged
 * @throws AppError `in_use`, naming the first redirects, when a transaction cannot hold all writes
 */
export function followedRedirects(
  before: StoredRedirects,
  redirects: readonly Redirect[] | undefined,
  audit: AuditContext,
  tooMany = "Too many redirects lead to this record. Remove some of them first.",
): Write[] {
  if (!redirects) return [];
  const { writes, after } = changeRedirects(before, redirects, audit.now);
  if (writes.length === 0) return [];
  const left = new Map(after.redirects.map((redirect) => [redirect.id, redirect]));
  const changed = before.redirects.filter(({ id, version }) => left.get(id)?.version !== version);
  if (writes.length > mostChanges) {
    throw inUse(
      changed.map(({ id, from }) => ({ kind: "redirect", id, label: from })),
      tooMany,
    );
  }
  const known = new Set(before.redirects.map(({ id }) => id));
  const added = after.redirects.filter(({ id }) => !known.has(id));
  const touched = new Set([...changed, ...added].map(({ id }) => id));
  const [first] = [...changed, ...added];
  const states = (rows: StoredRedirects["redirects"]) =>
    Object.fromEntries(
      rows.flatMap(({ id, from, to, status }) =>
        touched.has(id) ? [[from, { from, to, status }]] : [],
      ),
    );
  return [
    ...writes,
    recordActivity(
      audit,
      changed.some(({ id }) => !left.has(id)) ? "redirect.delete" : "redirect.update",
      {
        kind: "redirect",
        id: first?.id ?? "",
        label: touched.size > 1 ? `${touched.size} redirects` : (first?.from ?? ""),
      },
      { before: states(before.redirects), after: states(after.redirects) },
    ),
  ];
}
