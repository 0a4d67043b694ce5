import * as z from "zod";
import type { StoredOrder } from "../../domain/order/order.ts";
import { initialOf } from "../../domain/base/normalized-words.ts";
import { nameWordsOf } from "../../domain/order/order-names.ts";
import { is, isNew } from "../conditions.ts";
import { entity, projection } from "../entity.ts";
import { at } from "../reads.ts";
import { retryOnConflict } from "../retry-on-conflict.ts";
import { Orders } from "./orders.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

/**
 * The orders of each word in their names. A word sorts before longer words that begin with it, and the newest order of
 * a word comes first.
 */
export const OrdersOfName = entity({
  name: "order_of_name",
  notExported: "derived",
  schema: z.object({
    order_id: z.string(),
    placed_at: z.string(),
    word: z.string(),
    /** All words of the order's names, this one included. */
    words: z.array(z.string()),
  }),
  key: ({ initial, word, age, order_id }: NamePlace) => ({
    pk: `ORDERNAME#${initial}`,
    sk: `${word}#${age}#${order_id}`,
  }),
});

interface NamePlace {
  /** The word's first letter. */
  readonly initial: string;
  readonly word: string;
  /** A fixed-width number that decreases with the time of placing. */
  readonly age: string;
  readonly order_id: string;
}

/** The words that an order is listed under, so that outdated entries can be removed. */
export const OrderNames = entity({
  name: "order_names",
  notExported: "derived",
  schema: z.object({
    words: z.array(z.string()),
    /** True if the names were erased: the order is never listed by name again. */
    erased: z.boolean(),
    version: z.int().min(1),
  }),
  key: ({ order_id }: { order_id: string }) => ({ pk: `NAMESOFORDER#${order_id}`, sk: "NAMES" }),
});

/** What the search by name reads of an order. */
export const NamedOrders = projection(Orders, ["id", "customer", "addresses", "placed_at"]);

type Named = Pick<StoredOrder, "id" | "placed_at">;
type FoundUnder = z.output<typeof OrderNames.schema>;

/** The range of words with this prefix. */
export const namesBeginning = (beginning: string) => ({
  partition: OrdersOfName.key({ ...none, initial: initialOf(beginning) }).pk,
  prefix: beginning,
});

const none: NamePlace = { initial: "", word: "", age: "", order_id: "" };
const farFuture = 9_999_999_999_999;

export const namePlace = (word: string, { id, placed_at }: Named): NamePlace => ({
  initial: initialOf(word),
  word,
  age: String(farFuture - Date.parse(placed_at)).padStart(13, "0"),
  order_id: id,
});

/** A transaction takes 100 writes. */
const mostWrites = 100;

/**
 * Updates the lookups of orders by their current names. May be called repeatedly and concurrently: a row is written for
 * each order even if nothing differs, and the orders are read after the rows, so a worker with an older read is
 * refused.
 *
 * @param ids distinct
 */
export async function followNames(table: Table, ids: readonly string[]): Promise<void> {
  const read = async () =>
    (await table.getMany({ rows: ids.map((order_id) => at(OrderNames, { order_id })) })).rows;
  await retryOnConflict(await read(), read, async (before) => {
    const { orders } = await table.getMany({ orders: ids.map((id) => at(NamedOrders, { id })) });
    const writes = orders.flatMap((order, position) => {
      const row = before[position];
      return order && row?.erased !== true ? namesBecome(order, row, wordsOf(order)) : [];
    });
    if (writes.length === 0) return;
    if (writes.length <= mostWrites || ids.length === 1) return table.transact(writes);
    const middle = Math.ceil(ids.length / 2);
    await followNames(table, ids.slice(0, middle));
    return followNames(table, ids.slice(middle));
  });
}

/** Removes an order from the search by name permanently. */
export async function eraseNames(table: Table, order: Named): Promise<void> {
  const read = () => table.get(OrderNames, { order_id: order.id });
  await retryOnConflict(await read(), read, async (before) => {
    if (before?.erased === true) return;
    await table.transact(namesBecome(order, before, [], true));
  });
}

const wordsOf = ({ customer, addresses }: Pick<StoredOrder, "customer" | "addresses">): string[] =>
  nameWordsOf(customer.name, addresses.shipping.name);

function namesBecome(
  order: Named,
  before: FoundUnder | undefined,
  words: readonly string[],
  erased = false,
): Write[] {
  const { id: order_id, placed_at } = order;
  const gone = (before?.words ?? []).filter((word) => !words.includes(word));
  const row = { order_id, words: [...words], erased, version: (before?.version ?? 0) + 1 };
  return [
    put(OrderNames, row, before ? is("version", before.version) : isNew),
    ...gone.map((word) => remove(OrdersOfName, namePlace(word, order))),
    ...words.map((word) =>
      put(OrdersOfName, { ...namePlace(word, order), placed_at, words: [...words] }),
    ),
  ];
}
