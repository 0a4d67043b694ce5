import { hash, randomUUID } from "node:crypto";
import { type IndexTarget, updateIndex } from "#shared/search/catalog-writer.ts";
import { type Catalog, loadCatalog } from "#shared/search/load-catalog.ts";
import { RebuildOver, adoptRebuild, beginRebuild, rebuildTarget } from "#shared/search/rebuild.ts";
import type { RebuildPortion } from "#shared/queues/queue-messages.ts";
import type { IndexWork } from "./index-work.ts";

/** Kind of the last portions, which compare the rebuilt read model with the previous one. */
const before = "before";

/**
 * Rebuilds a read model from the table, even if the stored one is unreadable. The rebuild works in portions, each of
 * which enqueues the next. The new read model replaces the old one when it is complete. A rebuild that is still running
 * is cancelled, because it may have read records that have changed since.
 */
export async function begin<Change>(work: IndexWork<Change>): Promise<void> {
  const id = randomUUID();
  await beginRebuild(work.target, work.rebuilds, id, await work.documents());
  await continueRebuild({ kind: "rebuild-portion", id, of: work.kinds[0] ?? before }, work);
}

/** Processes one portion. Safe to repeat; does nothing if its rebuild has ended. */
export async function continueRebuild<Change>(
  portion: RebuildPortion,
  work: IndexWork<Change>,
): Promise<void> {
  const { target, rebuilds, queue, log } = work;
  const { id } = portion;
  try {
    const rebuilt = rebuildTarget(target, rebuilds, id);
    const next = await portionIn(portion, rebuilt, work);
    if (!next) return await adoptRebuild(target, rebuilds, id);
    // The message joins the end of the FIFO group, so waiting changes are processed first.
    await queue.send([
      { body: { changes: [next] }, group: "view", dedupe: hash("sha256", JSON.stringify(next)) },
    ]);
  } catch (cause) {
    if (!(cause instanceof RebuildOver)) throw cause;
    log.warn("Index rebuild portion skipped: the rebuild has ended", { cause });
  }
}

/** Applies changes to a read model. */
export const applyChanges = <Change>(
  target: IndexTarget,
  changes: readonly Change[],
  work: Pick<IndexWork<Change>, "indexChanges">,
) => updateIndex(target, (catalog) => work.indexChanges(changes, catalog));

/** @returns the next portion; undefined if the rebuild is complete */
async function portionIn<Change>(
  portion: RebuildPortion,
  rebuilt: IndexTarget,
  work: IndexWork<Change>,
): Promise<RebuildPortion | undefined> {
  if (portion.of === before) return portionOfBefore(portion, rebuilt, work);
  const { changes, next } = await listedFrom(portion, work);
  await applyChanges(rebuilt, changes, work);
  // If the first portion had all records, the comparison with the previous read model follows in the same call. With
  // more records the comparison takes seconds, so it is a separate portion.
  const isAll = next.of === before && portion.of === work.kinds[0] && !portion.after;
  return isAll ? portionOfBefore(next, rebuilt, work) : next;
}

/** Returns the records from a position on, up to the size of a portion, and the position of the next portion. */
async function listedFrom<Change>(
  portion: RebuildPortion,
  { kinds, list, portionSize }: IndexWork<Change>,
): Promise<{ changes: Change[]; next: RebuildPortion }> {
  const { kind, id } = portion;
  const changes: Change[] = [];
  let { of, after } = portion;
  while (changes.length < portionSize && of !== before) {
    const page = await list(of, { after, limit: portionSize - changes.length });
    changes.push(...page.changes);
    after = page.next;
    if (!after) of = kinds[kinds.indexOf(of) + 1] ?? before;
  }
  return { changes, next: { kind, id, of, after } };
}

/**
 * Adds records that the previous read model has and the rebuilt one lacks: the table's indexes are eventually
 * consistent and may not list them yet.
 */
async function portionOfBefore<Change>(
  { kind, id, after }: RebuildPortion,
  rebuilt: IndexTarget,
  work: IndexWork<Change>,
): Promise<RebuildPortion | undefined> {
  const stored = await storedCatalog(work);
  if (!stored) return undefined;
  const { catalog } = await loadCatalog(rebuilt);
  const last = typeof after?.["name"] === "string" ? after["name"] : "";
  const named = work
    .missing(stored, catalog)
    .map((change) => ({ change, name: JSON.stringify(change) }))
    .filter(({ name }) => name > last)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const some = named.slice(0, work.portionSize);
  const changes = some.map(({ change }) => change);
  if (changes.length > 0) await applyChanges(rebuilt, changes, work);
  if (some.length < named.length)
    return { kind, id, of: before, after: { name: some.at(-1)?.name } };
  await work.removeObsolete?.(
    stored,
    changes.length > 0 ? (await loadCatalog(rebuilt)).catalog : catalog,
  );
  return undefined;
}

async function storedCatalog<Change>({
  target,
  log,
}: IndexWork<Change>): Promise<Catalog | undefined> {
  try {
    return (await loadCatalog(target)).catalog;
  } catch (cause) {
    log.warn("Stored index not used for the rebuild: it cannot be read", { cause });
    return undefined;
  }
}
