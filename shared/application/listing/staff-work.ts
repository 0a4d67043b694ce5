import { idsOf } from "#shared/search/cards.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import { Materials, Products, Sofas, draftPartition } from "#shared/storage/catalog/catalog.ts";
import type { Table } from "#shared/storage/table.ts";
import type { StaffChange } from "#shared/queues/queue-messages.ts";
import type { IndexDeps, IndexWork } from "./index-work.ts";
import { indexStaffChanges } from "./staff-index-changes.ts";

const kinds = ["product", "sofa", "material", "stock"] as const;
type Kind = (typeof kinds)[number];
type Page = Parameters<IndexWork<StaffChange>["list"]>[1];

const changeOf = (kind: Kind, id: string): StaffChange => ({ kind, id });

/**
 * How the staff index is updated and rebuilt. A rebuild reads stock with its owners, so it lists no stock.
 */
export function staffWork(deps: IndexDeps & { table: Table }): IndexWork<StaffChange> {
  const { table } = deps;
  return {
    ...deps,
    kinds,
    documents: async () => ({}),
    async list(kind, page) {
      const of = kinds.find((known) => known === kind) ?? "stock";
      const { ids, next } = await idsFrom(of, page, table);
      return { changes: ids.map((id) => changeOf(of, id)), next };
    },
    indexChanges: (changes) => indexStaffChanges(changes, deps),
    missing,
  };
}

async function idsFrom(kind: Kind, page: Page, table: Table) {
  if (kind === "stock") return { ids: [], next: undefined };
  // The cast is safe: each of these entities has `id`, and no other member is read.
  const of = { product: Products, sofa: Sofas, material: Materials }[kind] as typeof Materials;
  const { records, next } = await table.page(
    of,
    { index: "gsi1", partition: draftPartition[kind] },
    page,
  );
  return { ids: records.map(({ id }) => id), next };
}

function missing(stored: Catalog, rebuilt: Catalog): StaffChange[] {
  return kinds.flatMap((kind) => {
    const known = new Set(idsOf(rebuilt.index, kind));
    return idsOf(stored.index, kind).flatMap((id) => (known.has(id) ? [] : changeOf(kind, id)));
  });
}
