import { type Document, slugsOf } from "#shared/domain/content/document.ts";
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
import type { PublishedVersion } from "#shared/storage/content/content-edits.ts";
import { schedulePublications } from "#shared/storage/content/due-publications.ts";
import { readRedirects } from "#shared/storage/content/redirects.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";

/** How one kind of document is stored. */
export interface DocumentStorage {
  readonly kind: "page" | "story";
  put(document: Document, condition: Condition): Write;
  remove(id: string, condition: Condition): Write;
  putPublished(document: Document, now: Date): Write[];
  removePublished(slug: string): Write;
  /** Deletes the rows, besides the published copy, that a document has only while it is published. */
  removeTraces(id: string): Write[];
  putVersion(document: Document, published: PublishedVersion): Write;
}

interface Change<Of> {
  /** Undefined for a new document. */
  readonly before: Of | undefined;
  /** Undefined to delete the document permanently. */
  readonly after: Of | undefined;
}

export type Verb = "create" | "update" | "publish" | "unpublish" | "restore" | "delete";

/**
 * Stores a document in one transaction with its published copy and version if it was published, the claims to its
 * slugs, the redirect from an old slug, its timers and the activity record.
 *
 * @throws AppError `already_exists`; Refused on a conflict
 */
export async function saveDocument<Of extends Document>(
  storage: DocumentStorage,
  verb: Verb,
  { before, after }: Change<Of>,
  { table, audit, further = [] }: Saving,
): Promise<void> {
  const document = after ?? before;
  if (!document) return;
  const { id, title, slug } = document;
  const unchanged = before ? is("version", before.version) : isNew;
  const [heldSlugs, newSlugs] = [slugsOf(before), slugsOf(after)];
  const claims = [...newSlugs.difference(heldSlugs)].map((free) => ({
    write: claimSlug(storage.kind, free, id),
    refused: () =>
      new AppError("already_exists", {
        message: `Another ${storage.kind} has this slug.`,
        details: { path: "slug", slug },
      }),
  }));
  const target = { kind: storage.kind, id, label: title };
  await table.transact([
    ...further,
    after ? storage.put(after, unchanged) : storage.remove(id, unchanged),
    ...claims,
    ...[...heldSlugs.difference(newSlugs)].map((left) => freeSlug(storage.kind, left)),
    ...(await publishedWrites(storage, { before, after }, table, audit)),
    ...(after ? schedulePublications(target, before, after, audit.actor.id) : []),
    recordActivity(audit, `${storage.kind}.${verb}`, target, { before, after }),
  ]);
}

/** The writes that update the published copy. */
async function publishedWrites(
  storage: DocumentStorage,
  { before, after }: Change<Document>,
  table: Pick<Table, "getPartition" | "getMany">,
  audit: AuditContext,
): Promise<Write[]> {
  const { actor, now } = audit;
  const [was, is] = [before?.published, after?.published];
  const gone = was && was.slug !== is?.slug ? [storage.removePublished(was.slug)] : [];
  if (!after || !is) {
    const traces = was && before ? [...gone, ...storage.removeTraces(before.id)] : [];
    return after || !before
      ? traces
      : [...traces, ...(await forgetRedirects(storage, before, table, audit))];
  }
  if (was?.version === is.version) return [];
  const published = {
    version: is.version,
    published_at: now.toISOString(),
    published_by: actor.id,
  };
  const [map, settings] = await redirectsAndPaths(table);
  const address = (slug: string) => pagePath(settings, storage.kind, slug);
  const redirects = redirectsAfter(
    was ? address(was.slug) : undefined,
    address(is.slug),
    map.redirects,
  );
  return [
    ...gone,
    ...storage.putPublished(after, now),
    storage.putVersion(after, published),
    ...followedRedirects(map, redirects, audit),
  ];
}

/** Deletes the redirects to a document that is deleted permanently. */
async function forgetRedirects(
  { kind }: DocumentStorage,
  document: Document,
  table: Pick<Table, "getPartition" | "getMany">,
  audit: AuditContext,
): Promise<Write[]> {
  const [map, settings] = await redirectsAndPaths(table);
  const left = [...slugsOf(document)].reduce<readonly Redirect[]>(
    (redirects, slug) => withoutRedirectsTo(redirects, pagePath(settings, kind, slug)),
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
