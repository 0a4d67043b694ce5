import { hash, randomUUID } from "node:crypto";
import { type IndexTarget, updateCatalogView } from "#shared/search/catalog-writer.ts";
import { type Catalog, loadCatalog } from "#shared/search/load-catalog.ts";
import { RebuildOver, adoptRebuild, beginRebuild, rebuildTarget } from "#shared/search/rebuild.ts";
import type { RebuildPortion } from "./rebuild-message.ts";
import type { IndexWork } from "./view-work.ts";

/** What the view before has, which is gone through last. */
const before = "before";

/**
 * Makes the view anew from what is stored, whatever the stored one holds and whether it can be read or not: a
 * view of its own grows beside it, in portions that tell the queue of the next, and takes its place when it is whole.
 * One that is under way ends: whoever asks again wants what is there now.
 */
export async function begin<Change>(work: IndexWork<Change>): Promise<void> {
  const id = randomUUID();
  await beginRebuild(work.target, work.rebuilds, id, await work.documents());
  await goOn({ kind: "rebuild-portion", id, of: work.kinds[0] ?? before }, work);
}

/** Makes a portion. Safe to repeat; one of a rebuild that is over does nothing. */
export async function goOn<Change>(
  portion: RebuildPortion,
  work: IndexWork<Change>,
): Promise<void> {
  const { target, rebuilds, queue, log } = work;
  const { id } = portion;
  try {
    const made = rebuildTarget(target, rebuilds, id);
    const next = await portionIn(portion, made, work);
    if (!next) return await adoptRebuild(target, rebuilds, id);
    // At the end of the group: changes that wait already go first.
    await queue.send([
      { body: { changes: [next] }, group: "view", dedupe: hash("sha256", JSON.stringify(next)) },
    ]);
  } catch (cause) {
    if (!(cause instanceof RebuildOver)) throw cause;
    log.warn("Rebuild portion skipped: the rebuild is over", { cause });
  }
}

/** Lays changes over a view. */
export const layOver = <Change>(
  view: IndexTarget,
  changes: readonly Change[],
  work: Pick<IndexWork<Change>, "viewChanges">,
) => updateCatalogView(view, (catalog) => work.viewChanges(changes, catalog));

/** @returns what is next; undefined: it is whole */
async function portionIn<Change>(
  portion: RebuildPortion,
  made: IndexTarget,
  work: IndexWork<Change>,
): Promise<RebuildPortion | undefined> {
  if (portion.of === before) return portionOfBefore(portion, made, work);
  const { changes, next } = await listedFrom(portion, work);
  await layOver(made, changes, work);
  // Of a large view either takes seconds. What fits into one portion is whole in one call.
  const isAll = next.of === before && portion.of === work.kinds[0] && !portion.after;
  return isAll ? portionOfBefore(next, made, work) : next;
}

/** What there is from there on, up to what one portion may hold. */
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

/** Indexes lag by moments: what they may not have listed yet is in the view before. */
async function portionOfBefore<Change>(
  { kind, id, after }: RebuildPortion,
  made: IndexTarget,
  work: IndexWork<Change>,
): Promise<RebuildPortion | undefined> {
  const stored = await storedCatalog(work);
  if (!stored) return undefined;
  const { catalog } = await loadCatalog(made);
  const last = typeof after?.["name"] === "string" ? after["name"] : "";
  const named = work
    .missing(stored, catalog)
    .map((change) => ({ change, name: JSON.stringify(change) }))
    .filter(({ name }) => name > last)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const some = named.slice(0, work.portionSize);
  const changes = some.map(({ change }) => change);
  if (changes.length > 0) await layOver(made, changes, work);
  if (some.length < named.length)
    return { kind, id, of: before, after: { name: some.at(-1)?.name } };
  await work.forget?.(stored, changes.length > 0 ? (await loadCatalog(made)).catalog : catalog);
  return undefined;
}

async function storedCatalog<Change>({
  target,
  log,
}: IndexWork<Change>): Promise<Catalog | undefined> {
  try {
    return (await loadCatalog(target)).catalog;
  } catch (cause) {
    log.warn("Stored view unreadable", { cause });
    return undefined;
  }
}
