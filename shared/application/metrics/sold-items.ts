import {
  Cards,
  PublishedProducts,
  PublishedSofas,
  SkuClaims,
} from "#shared/storage/catalog/catalog.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";

/** Recognizes ids of published items, so that clients cannot fill the metrics with invented ones. */
export interface SoldItems {
  /**
   * Returns the item id of each thing that is published. A thing is `product:<id or slug>`, `sofa:<id or slug>` or
   * `sku:<sku>`.
   */
  idsOf(things: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

const keptForMs = 10 * 60_000;
const mostKept = 20_000;

/** @param now in ms, for the age of cached reads */
export function openSoldItems(table: Pick<Table, "getMany">, now: () => number): SoldItems {
  const kept = new Map<string, { id: string | undefined; until: number }>();

  return {
    async idsOf(things) {
      const unknown = [...new Set(things)].filter(
        (thing) => (kept.get(thing)?.until ?? 0) <= now(),
      );
      if (kept.size + unknown.length > mostKept) kept.clear();
      const until = now() + keptForMs;
      for (const [thing, id] of await lookUp(table, unknown)) kept.set(thing, { id, until });
      return new Map(
        things.flatMap((thing) => {
          const id = kept.get(thing)?.id;
          return id === undefined ? [] : [[thing, id] as const];
        }),
      );
    },
  };
}

async function lookUp(
  table: Pick<Table, "getMany">,
  things: readonly string[],
): Promise<[thing: string, id: string | undefined][]> {
  const [ids, products, sofas, skus] = [
    things.filter((thing) => isId(nameOf(thing))),
    things.filter((thing) => thing.startsWith("product:") && !isId(nameOf(thing))),
    things.filter((thing) => thing.startsWith("sofa:") && !isId(nameOf(thing))),
    things.filter((thing) => thing.startsWith("sku:")),
  ];
  if (things.length === 0) return [];
  const found = await table.getMany({
    cards: ids.map((thing) => at(Cards, { id: nameOf(thing) })),
    products: products.map((thing) => at(PublishedProducts, { slug: nameOf(thing) })),
    sofas: sofas.map((thing) => at(PublishedSofas, { slug: nameOf(thing) })),
    claims: skus.map((thing) => at(SkuClaims, { sku: nameOf(thing) })),
  });
  return [
    ...ids.map((thing, position) => [thing, found.cards[position]?.id] as const),
    ...products.map((thing, position) => [thing, found.products[position]?.id] as const),
    ...sofas.map((thing, position) => [thing, found.sofas[position]?.id] as const),
    ...skus.map((thing, position) => {
      const owner = found.claims[position]?.owner;
      return [thing, owner?.kind === "product" ? owner.id : undefined] as const;
    }),
  ].map(([thing, id]) => [thing, id]);
}

const nameOf = (thing: string) => thing.slice(thing.indexOf(":") + 1);
const isId = (name: string) => /^(?:prd|sofa)_/.test(name);
