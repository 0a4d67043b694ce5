import * as z from "zod";
import { type Figures, thingsIn } from "#shared/domain/figures.ts";
import { bpsOf } from "#shared/domain/insights.ts";
import { Currency } from "#shared/domain/money.ts";
import { DayRange } from "#shared/domain/insight-range.ts";
import { route, staff } from "#shared/http/route.ts";
import { Cards, Products, Sofas } from "#shared/storage/catalog.ts";
import { byName } from "#shared/storage/live-facts.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import { PeriodQuery, askedPeriod, readSums } from "./asked-period.ts";
import type { Deps } from "./deps.ts";

const kinds = ["revenue", "sold", "carted", "viewed"] as const;
type Kind = (typeof kinds)[number];
const mostListed = 50;

const ThingFigures = z.object({
  viewed: z.int().meta({ description: "Times its page was seen" }),
  carted: z.int().meta({ description: "Pieces put into carts" }),
  sold: z.int().meta({ description: "Pieces in orders that count" }),
  revenue: z.int().meta({ description: "Their line totals, in minor units" }),
});

const ProductsView = z.object({
  currency: Currency,
  ...DayRange.shape,
  products: z.array(
    ThingFigures.extend({
      id: z.string(),
      kind: z.enum(["product", "sofa"]),
      name: z.string().nullable().meta({ description: "null: it is deleted" }),
      slug: z.string().nullable(),
      sold_per_view_bps: z.int(),
    }),
  ),
  others: ThingFigures.meta({ description: "All that are not listed" }),
});

export const showProducts = route({
  method: "GET",
  path: "/admin/analytics/products",
  summary: "What was looked at, put into carts and sold in a period",
  description: `The ${mostListed} first by the chosen figure, and the sum of all others.`,
  access: staff("analytics.view"),
  request: {
    query: PeriodQuery.extend({
      sort: z.enum(kinds).default("revenue").meta({ description: "Largest first" }),
    }),
  },
  response: { status: 200, data: ProductsView },
  async handle(call, { table, settings }: Deps) {
    const { range, currency } = await askedPeriod(call, { settings });
    const sums = await readSums(table, "products", range);
    const { listed, others } = ranked(sums, call.query.sort);
    const names = await namesOf(table, [...listed.keys()]);
    const products = Array.from(listed, ([id, figures]) => ({
      id,
      kind: isSofa(id) ? ("sofa" as const) : ("product" as const),
      name: names.get(id)?.name ?? null,
      slug: names.get(id)?.slug ?? null,
      ...figures,
      sold_per_view_bps: bpsOf(figures.sold, figures.viewed),
    }));
    return { data: { currency, ...range, products, others } };
  },
});

type FiguresOfThing = Record<Kind, number>;
const none: FiguresOfThing = { revenue: 0, sold: 0, carted: 0, viewed: 0 };

function ranked(sums: Figures, sort: Kind) {
  const things = new Map<string, FiguresOfThing>();
  for (const kind of kinds) {
    for (const [id, figure] of thingsIn(sums, kind)) {
      things.set(id, { ...(things.get(id) ?? none), [kind]: figure });
    }
  }
  const order = [sort, ...kinds.filter((kind) => kind !== sort)];
  const named = [...things]
    .filter(([id, figures]) => id !== "" && kinds.some((kind) => figures[kind] !== 0))
    .toSorted(([, one], [, other]) => {
      const kind = order.find((each) => one[each] !== other[each]) ?? sort;
      return other[kind] - one[kind];
    });
  const rest = [...named.slice(mostListed).map(([, figures]) => figures), things.get("") ?? none];
  const others = rest.reduce((sum, figures) => ({
    revenue: sum.revenue + figures.revenue,
    sold: sum.sold + figures.sold,
    carted: sum.carted + figures.carted,
    viewed: sum.viewed + figures.viewed,
  }));
  return { listed: new Map(named.slice(0, mostListed)), others };
}

const isSofa = (id: string) => id.startsWith("sofa_");

/** Of what is public by its card, of what is not by staff's copy. */
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
