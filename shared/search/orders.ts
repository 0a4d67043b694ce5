/** The sort orders of a list. Each is a total order, so pages never overlap. */
export const sortOrders = ["newest", "price", "-price", "name", "popular"] as const;
export type SortOrder = (typeof sortOrders)[number];
export type SortOrders = Record<SortOrder, Uint32Array<ArrayBuffer>>;

/** The sort keys of rows; names are normalized. */
export interface Sortable {
  prices: ArrayLike<number>;
  published: ArrayLike<number>;
  popularity: ArrayLike<number>;
  name(row: number): string;
  id(row: number): string;
}

type Compare = (a: Sortable, i: number, b: Sortable, j: number) => number;

const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const byName: Compare = (a, i, b, j) => text(a.name(i), b.name(j)) || text(a.id(i), b.id(j));

const byPopularity: Compare = (a, i, b, j) =>
  b.popularity[j]! - a.popularity[i]! || byName(a, i, b, j);

const comparisons: Record<SortOrder, Compare> = {
  popular: byPopularity,
  name: byName,
  newest: (a, i, b, j) => b.published[j]! - a.published[i]! || byPopularity(a, i, b, j),
  price: (a, i, b, j) => a.prices[i]! - b.prices[j]! || byPopularity(a, i, b, j),
  "-price": (a, i, b, j) => b.prices[j]! - a.prices[i]! || byPopularity(a, i, b, j),
};

/** What is sorted: cards or, by price, their variants. */
export interface Sorted {
  cards: Sortable;
  variants: Sortable;
}

const sortedBy = (order: SortOrder): keyof Sorted =>
  order === "price" || order === "-price" ? "variants" : "cards";

/** The rows `0…size` of cards and of variants in every sort order. */
export function ordersOf(rows: Sorted, sizes: Record<keyof Sorted, number>): SortOrders {
  return inEveryOrder((compare, order) => {
    const sorted = rows[sortedBy(order)];
    return Uint32Array.from({ length: sizes[sortedBy(order)] }, (_, row) => row).sort((i, j) =>
      compare(sorted, i, sorted, j),
    );
  });
}

/**
 * Merges the orders of a few rows into those of many rows. The few rows are numbered after the many. The merge costs
 * one binary search per new row and one copy of the orders.
 */
export function mergeOrders(
  many: Sorted & { orders: SortOrders },
  few: Sorted & { orders: SortOrders },
): SortOrders {
  return inEveryOrder((compare, order) => {
    const rows = sortedBy(order);
    const base = many.orders[order];
    const added = few.orders[order];
    const merged = new Uint32Array(base.length + added.length);
    let copied = 0;
    for (let position = 0; position < added.length; position += 1) {
      const row = added[position]!;
      let low = copied;
      let high = base.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (compare(many[rows], base[middle]!, few[rows], row) < 0) low = middle + 1;
        else high = middle;
      }
      merged.set(base.subarray(copied, low), copied + position);
      merged[low + position] = base.length + row;
      copied = low;
    }
    merged.set(base.subarray(copied), copied + added.length);
    return merged;
  });
}

function inEveryOrder(
  make: (compare: Compare, order: SortOrder) => Uint32Array<ArrayBuffer>,
): SortOrders {
  return {
    newest: make(comparisons.newest, "newest"),
    price: make(comparisons.price, "price"),
    "-price": make(comparisons["-price"], "-price"),
    name: make(comparisons.name, "name"),
    popular: make(comparisons.popular, "popular"),
  };
}
