import { hash, randomUUID } from "node:crypto";
import { byId, bySlug, slugsOf } from "#shared/catalog-view/cards.ts";
import { updateCatalogView } from "#shared/catalog-view/catalog-writer.ts";
import {
  type CatalogDocuments,
  materialsByName,
  materialsOf,
} from "#shared/catalog-view/documents.ts";
import { type Catalog, loadCatalog } from "#shared/catalog-view/load-catalog.ts";
import {
  RebuildOver,
  adoptRebuild,
  beginRebuild,
  rebuildTarget,
} from "#shared/catalog-view/rebuild.ts";
import type { CatalogChange, CatalogChanges, RebuildPortion } from "../catalog-change.ts";
import type { Deps } from "./deps.ts";
import { viewChanges } from "./view-changes.ts";

/**
 * Makes the view anew from what is published, whatever the stored one holds and whether it can be read or not: a
 * view of its own grows beside it, in portions that tell the queue of the next, and takes its place when it is whole.
 * One that is under way ends: whoever asks again wants what is there now.
 */
export async function begin(deps: Deps): Promise<void> {
  const id = randomUUID();
  await beginRebuild(deps.target, deps.rebuilds, id, { ...(await documentsOf(deps)) });
  await goOn({ kind: "rebuild-portion", id, of: "product" }, deps);
}

/** Makes a portion. Safe to repeat; one of a rebuild that is over does nothing. */
export async function goOn(portion: RebuildPortion, deps: Deps): Promise<void> {
  const { target, rebuilds, queue, log } = deps;
  const { id } = portion;
  try {
    const { changes, next } = await publishedFrom(portion, deps);
    await updateCatalogView(rebuildTarget(target, rebuilds, id), (catalog) =>
      viewChanges(changes, catalog, deps),
    );
    if (!next) return await finish(id, deps);
    const message: CatalogChanges = { changes: [next] };
    // At the end of the group: changes that wait already go first.
    await queue.send(message, { group: "view", dedupe: hash("sha256", JSON.stringify(next)) });
  } catch (cause) {
    if (!(cause instanceof RebuildOver)) throw cause;
    log.warn("A portion of a rebuild that is over was left out", { cause });
  }
}

async function documentsOf({ published }: Deps): Promise<CatalogDocuments> {
  const codes: string[] = [];
  let after: RebuildPortion["after"];
  do {
    const page = await published.namesOf("material", { after });
    codes.push(...page.names);
    after = page.next;
  } while (after);
  const [materials, categories, sofa_landing] = await Promise.all([
    published.materials(codes),
    published.categories(),
    published.sofaLanding(),
  ]);
  return { materials: materialsByName(materials), categories, sofa_landing };
}

/** What is published from there on, products before sofas, up to what one portion may hold. */
async function publishedFrom(
  portion: RebuildPortion,
  { published, portionSize }: Deps,
): Promise<{ changes: CatalogChange[]; next: RebuildPortion | undefined }> {
  const { kind, id } = portion;
  const changes: CatalogChange[] = [];
  let { of, after } = portion;
  while (changes.length < portionSize) {
    const limit = portionSize - changes.length;
    const page = await published.namesOf(of, { after, limit });
    for (const slug of page.names) changes.push({ kind: of, slug });
    after = page.next;
    if (after) continue;
    if (of === "sofa") return { changes, next: undefined };
    of = "sofa";
  }
  return { changes, next: { kind, id, of, after } };
}

async function finish(id: string, deps: Deps): Promise<void> {
  const { target, rebuilds, published } = deps;
  const made = rebuildTarget(target, rebuilds, id);
  const stored = await storedCatalog(deps);
  if (stored) {
    // The index lags by moments: what it may not have listed yet is in the view before.
    await updateCatalogView(made, (catalog) =>
      viewChanges(missing(stored, catalog), catalog, deps),
    );
    const { catalog } = await loadCatalog(made);
    await published.removeCards(cardsOnlyIn(stored, catalog).map((card) => card.id));
  }
  await adoptRebuild(target, rebuilds, id);
}

async function storedCatalog({ target, log }: Deps): Promise<Catalog | undefined> {
  try {
    return (await loadCatalog(target)).catalog;
  } catch (cause) {
    log.warn("The stored catalog view cannot be read", { cause });
    return undefined;
  }
}

function missing(stored: Catalog, made: Catalog): CatalogChange[] {
  const known = materialsOf(made.documents);
  return [
    ...cardsOnlyIn(stored, made).map(({ kind, slug }): CatalogChange => ({ kind, slug })),
    ...[...materialsOf(stored.documents).keys()]
      .filter((code) => !known.has(code))
      .map((code): CatalogChange => ({ kind: "material", code })),
  ];
}

function cardsOnlyIn(stored: Catalog, made: Catalog) {
  return (["product", "sofa"] as const)
    .flatMap((kind) => slugsOf(stored.index, kind).map((slug) => bySlug(stored.index, kind, slug)))
    .filter((card) => card !== undefined)
    .filter(({ id }) => byId(made.index, id) === undefined);
}
