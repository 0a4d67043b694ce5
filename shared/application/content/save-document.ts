import type { DocumentKind, Draft } from "./document-kinds.ts";
import {
  type Redirect,
  redirectsAfterMove,
  withoutRedirectFrom,
  withoutRedirectsTo,
} from "#shared/domain/content/redirect.ts";
import type { Saving } from "#shared/application/saving.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { pagePath } from "#shared/domain/settings/storefront-address.ts";
import { followedRedirects } from "#shared/application/content/followed-redirects.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { claimSlug, freeSlug } from "#shared/storage/catalog/catalog-edits.ts";
import { type Condition, is, isNew } from "#shared/storage/conditions.ts";
import { schedulePublications } from "#shared/storage/content/due-publications.ts";
import { readRedirects } from "#shared/storage/content/redirects.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Write, put, remove } from "#shared/storage/writes.ts";

interface Change {
  /** Undefined for a new document, and for a single one that was never saved. */
  readonly before: Draft | undefined;
  /** Undefined to delete the document permanently. */
  readonly after: Draft | undefined;
}

export type Verb = "create" | "update" | "publish" | "unpublish" | "restore" | "delete";

/**
 * Stores a document in one transaction with its published copy and version if it was published, the claims to its
 * slugs, the redirect from an old slug, its timers and the activity record.
 *
 * @throws AppError `already_exists`; Refused on a conflict
 */
export async function saveDocument(
  kind: DocumentKind,
  verb: Verb,
  { before, after }: Change,
  { table, audit, further = [] }: Saving,
): Promise<void> {
  const document = after ?? before;
  if (!document) return;
  const { id, label } = kind.namesOf(document);
  const unchanged = before ? is("version", before.version) : isNew;
  const [heldSlugs, newSlugs] = [kind.slugsOf(before), kind.slugsOf(after)];
  const claims = [...newSlugs.difference(heldSlugs)].map((slug) => ({
    write: claimSlug(sluggedKind(kind), slug, id),
    refused: () =>
      new AppError("already_exists", {
        message: `Another ${kind.kind} has this slug.`,
        details: { path: "slug", slug },
      }),
  }));
  const target = { kind: kind.kind, id, label };
  await table.transact([
    ...further,
    after ? putDraft(kind, after, unchanged) : remove(kind.drafts, { id }, unchanged),
    ...claims,
    ...[...heldSlugs.difference(newSlugs)].map((left) => freeSlug(sluggedKind(kind), left)),
    ...(await publishedWrites(kind, { before, after }, table, audit)),
    ...(after ? schedulePublications(target, before, after, audit.actor.id) : []),
    recordActivity(audit, `${kind.kind}.${verb}`, target, { before, after }),
  ]);
}

export const putDraft = (kind: DocumentKind, document: Draft, condition: Condition): Write =>
  put(kind.drafts, { id: kind.namesOf(document).id, ...document }, condition);

/** The kind of a document that has a slug. */
function sluggedKind({ kind }: DocumentKind): "page" | "story" {
  if (kind === "homepage") throw new TypeError("The homepage has no slug");
  return kind;
}

/** The writes that update the published copy. */
async function publishedWrites(
  kind: DocumentKind,
  { before, after }: Change,
  table: Pick<Table, "getPartition" | "getMany">,
  audit: AuditContext,
): Promise<Write[]> {
  const [was, is] = [before && kind.copyOf(before), after && kind.copyOf(after)];
  const gone = was?.slug && was.slug !== is?.slug ? kind.removePublished(was.slug) : [];
  if (!after || !is) {
    const traces = was && before ? [...gone, ...kind.removeTraces(kind.namesOf(before).id)] : [];
    return after || !before
      ? traces
      : [...traces, ...(await forgetRedirects(kind, before, table, audit))];
  }
  if (was?.version === is.version) return [];
  return [
    ...gone,
    ...kind.putPublished(after, audit.now),
    putVersion(kind, after, is.version, audit),
    ...(is.slug === null ? [] : await movedRedirects(kind, [was?.slug, is.slug], table, audit)),
  ];
}

/** The write that keeps the content of a document as a version. */
export function putVersion(
  kind: DocumentKind,
  document: Draft,
  version: number,
  { actor, now }: AuditContext,
): Write {
  return put(kind.versions, {
    id: kind.namesOf(document).id,
    version,
    published_at: now.toISOString(),
    published_by: actor.id,
    content: kind.content.parse(document),
  });
}

/** The writes to redirects after the document was published under a slug. */
async function movedRedirects(
  kind: DocumentKind,
  [was, is]: readonly [was: string | null | undefined, is: string],
  table: Pick<Table, "getPartition" | "getMany">,
  audit: AuditContext,
): Promise<Write[]> {
  const [map, settings] = await redirectsAndPaths(table);
  const address = (slug: string) => pagePath(settings, sluggedKind(kind), slug);
  const redirects = redirectsAfter(was ? address(was) : undefined, address(is), map.redirects);
  return followedRedirects(map, redirects, audit);
}

/** Deletes the redirects to a document that is deleted permanently. */
async function forgetRedirects(
  kind: DocumentKind,
  document: Draft,
  table: Pick<Table, "getPartition" | "getMany">,
  audit: AuditContext,
): Promise<Write[]> {
  const [map, settings] = await redirectsAndPaths(table);
  const left = [...kind.slugsOf(document)].reduce<readonly Redirect[]>(
    (redirects, slug) => withoutRedirectsTo(redirects, pagePath(settings, sluggedKind(kind), slug)),
    map.redirects,
  );
  return followedRedirects(map, left, audit);
}

const redirectsAndPaths = (table: Pick<Table, "getPartition" | "getMany">) =>
  Promise.all([readRedirects(table), readSettings(table, ["seo"])]);

/**
 * The redirect map after the document's path on the storefront changed from `was` to `is`; undefined if the map stays
 * unchanged.
 */
function redirectsAfter(
  was: string | undefined,
  is: string,
  map: readonly Redirect[],
): Redirect[] | undefined {
  if (was !== undefined && was !== is) return redirectsAfterMove(map, was, is);
  const left = withoutRedirectFrom(map, is);
  return left.length < map.length ? left : undefined;
}
