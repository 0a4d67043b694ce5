import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { type Metrics, namesIn } from "#shared/domain/metrics/metrics.ts";
import { bpsOf } from "#shared/domain/metrics/insights.ts";
import { Currency } from "#shared/domain/base/money.ts";
import { DayRange } from "#shared/domain/metrics/insight-range.ts";
import { route, staff } from "#shared/http/route.ts";
import { Cards, Products, Sofas } from "#shared/storage/catalog/catalog.ts";
import { byName } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import { PeriodQuery, requestedPeriod, readSums } from "./requested-period.ts";

const kinds = ["revenue", "sold", "returned", "carted", "viewed"] as const;
type Kind = (typeof kinds)[number];
const mostListed = 50;

const ThingMetrics = z.object({
  viewed: z.int().meta({ description: "Page views" }),
  carted: z.int().meta({ description: "Units added to carts" }),
  sold: z.int().meta({ description: "Units in confirmed orders that are not cancelled" }),
  returned: z.int().meta({ description: "Those of `sold` that came back by a return" }),
  revenue: z.int().meta({ description: "Line totals of the units sold, in minor units" }),
});

const ProductsView = z.object({
  currency: Currency,
  ...DayRange.shape,
  products: z.array(
    ThingMetrics.extend({
      id: z.string(),
      kind: z.enum(["product", "sofa"]),
      name: z.string().nullable().meta({ description: "null if the item was deleted" }),
      slug: z.string().nullable(),
      sold_per_view_bps: z.int(),
      returned_bps: z.int().meta({ description: "`returned` per unit sold" }),
    }),
  ),
  others: ThingMetrics.meta({
    description: "Sums over all items that are not in `products`, custom items included",
  }),
});

export const showProducts = route({
  method: "GET",
  path: "/admin/analytics/products",
  summary: "Get views, cart additions, sales and returns by product",
  description: `Lists the top ${mostListed} products by the chosen metric, and the sum of all others.`,
  access: staff("analytics.view"),
  request: {
    query: PeriodQuery.extend({
      sort: z.enum(kinds).default("revenue").meta({
        description: "Metric by which the top products are chosen and sorted",
      }),
    }),
  },
  response: { status: 200, data: ProductsView },
  async handle(call, { table, settings }: Shop<"table" | "settings", "store">) {
    const { range, currency } = await requestedPeriod(call, { settings });
    const sums = await readSums(table, "products", range);
    const { listed, others } = ranked(sums, call.query.sort);
    const names = await namesOf(table, [...listed.keys()]);
    const products = Array.from(listed, ([id, metrics]) => ({
      id,
      kind: isSofa(id) ? ("sofa" as const) : ("product" as const),
      name: names.get(id)?.name ?? null,
      slug: names.get(id)?.slug ?? null,
      ...metrics,
      sold_per_view_bps: bpsOf(metrics.sold, metrics.viewed),
      returned_bps: bpsOf(metrics.returned, metrics.sold),
    }));
    return { data: { currency, ...range, products, others } };
  },
});

type MetricsOfProduct = Record<Kind, number>;
const none: MetricsOfProduct = { revenue: 0, sold: 0, returned: 0, carted: 0, viewed: 0 };

function ranked(sums: Metrics, sort: Kind) {
  const byId = new Map<string, MetricsOfProduct>();
  for (const kind of kinds) {
    for (const [id, metric] of namesIn(sums, kind)) {
      byId.set(id, { ...(byId.get(id) ?? none), [kind]: metric });
    }
  }
  const order = [sort, ...kinds.filter((kind) => kind !== sort)];
  const named = [...byId]
    .filter(([id, metrics]) => id !== "" && kinds.some((kind) => metrics[kind] !== 0))
    .toSorted(([, one], [, other]) => {
      const kind = order.find((each) => one[each] !== other[each]) ?? sort;
      return other[kind] - one[kind];
    });
  const rest = [...named.slice(mostListed).map(([, metrics]) => metrics), byId.get("") ?? none];
  const others = rest.reduce((sum, metrics) => ({
    revenue: sum.revenue + metrics.revenue,
    sold: sum.sold + metrics.sold,
    returned: sum.returned + metrics.returned,
    carted: sum.carted + metrics.carted,
    viewed: sum.viewed + metrics.viewed,
  }));
  return { listed: new Map(named.slice(0, mostListed)), others };
}

const isSofa = (id: string) => id.startsWith("sofa_");

/** Names and slugs of items: from the published card, or else from the draft. */
async function namesOf(table: Table, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { name: string; slug: string }>();
  const { cards } = await table.getMany({ cards: ids.map((id) => at(Cards, { id })) });
  const names = new Map<string, { name: string; slug: string }>(byName(cards, ({ id }) => id));
  const missing = ids.filter((id) => !names.has(id));
  if (missing.length === 0) return names;
  const { products, sofas } = await table.getMany({
    products: missing.filter((id) => !isSofa(id)).map((id) => at(Products, { id })),
    sofas: missing.filter(isSofa).map((id) => at(Sofas, { id })),
  });
  for (const record of [...products, ...sofas]) if (record) names.set(record.id, record);
  return names;
}

export const routes = [showProducts];
