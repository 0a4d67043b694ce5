import type * as z from "zod";
import { AppError } from "#shared/domain/request/app-error.ts";
import {
  PublishedMaterials,
  PublishedProducts,
  PublishedSofas,
  Materials,
  Products,
  Sofas,
  publishedPartition,
  draftPartition,
} from "#shared/storage/catalog/catalog.ts";
import { Coupons, couponList } from "#shared/storage/pricing/coupons.ts";
import type { Entity } from "#shared/storage/entity.ts";
import { searchOrders } from "#shared/storage/order/order-lists.ts";
import { Quotes, quoteList } from "#shared/storage/enquiry/quotes.ts";
import type { Table } from "#shared/storage/table.ts";

/** A record with amounts in the shop's currency. */
interface Use {
  readonly kind: "product" | "sofa" | "material" | "coupon" | "quote" | "order";
  readonly id: string;
}

type Listed = Entity<z.ZodObject<{ id: z.ZodString }>>;

/**
 * Kinds of records with prices: their entities, and the partitions of the index `gsi1` that list them. Published copies
 * are listed too, because a published copy may have no draft.
 */
const priced: readonly (readonly [Use["kind"], unknown, string])[] = [
  ["product", Products, draftPartition.product],
  ["product", PublishedProducts, publishedPartition("product")],
  ["sofa", Sofas, draftPartition.sofa],
  ["sofa", PublishedSofas, publishedPartition("sofa")],
  ["material", Materials, draftPartition.material],
  ["material", PublishedMaterials, publishedPartition("material")],
  ["coupon", Coupons, couponList],
  ["quote", Quotes, quoteList],
];

/**
 * Refuses to change the shop's currency while amounts are stored, because they would be read as amounts in the new
 * currency.
 *
 * @throws AppError `in_use`, naming one use of each kind
 */
export async function requireUnusedCurrency(table: Table): Promise<void> {
  const [orders, ...found] = await Promise.all([
    anyOrder(table),
    ...priced.map(async ([kind, entity, partition]): Promise<Use[]> => {
      const range = { index: "gsi1", partition } as const;
      // The cast is safe: the entities differ, but each has `id`, and no other member is read.
      const { records } = await table.page(entity as Listed, range, { limit: 1 });
      return records.map(({ id }) => ({ kind, id }));
    }),
  ]);
  const uses: Use[] = [
    ...found.flat(),
    ...orders.map(({ id }) => ({ kind: "order", id }) as const),
  ];
  const used_by = uses.filter(
    ({ kind }, position) => uses.findIndex((other) => other.kind === kind) === position,
  );
  if (used_by.length === 0) return;
  throw new AppError("in_use", {
    message: "The currency cannot change once a price or an order exists.",
    details: { used_by },
  });
}

/** A list with any one order of the shop; empty if there is none. */
async function anyOrder(table: Table) {
  const everyOrder = { range: { kind: "all" }, from: null, until: null } as const;
  const page = { limit: 1, after: undefined };
  return (await searchOrders(table, { ...everyOrder, matches: () => true }, page)).records;
}

/**
 * Refuses to change the store's country once an order exists, because stored phone numbers without a country code are
 * interpreted by that country.
 *
 * @throws AppError `in_use`, naming an order
 */
export async function requireNoOrders(table: Table): Promise<void> {
  const [order] = await anyOrder(table);
  if (!order) return;
  throw new AppError("in_use", {
    message: "The country of the store cannot change once an order exists.",
    details: { used_by: [{ kind: "order", id: order.id }] },
  });
}
