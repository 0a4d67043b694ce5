import { connect as connectIndexWriter } from "#functions/on-change/catalog-index/deps.ts";
import { rebuildIndex } from "#shared/search/catalog-writer.ts";
import { parsedBy } from "#shared/domain/base/parsed-json.ts";
import { Card, type CatalogEntry } from "#shared/domain/catalog/card.ts";
import { catalogEntry } from "#shared/domain/listing/catalog-entry.ts";
import { productCard } from "#shared/domain/catalog/product-card.ts";
import type { PublishedProduct } from "#shared/domain/catalog/product.ts";
import type { Stock } from "#shared/domain/catalog/stock.ts";
import { families } from "#functions/families.ts";
import { loadFamily } from "#infra/local/load-function.ts";
import { type StackEnvironment, startStack } from "#infra/local/stack.ts";
import { PublishedProducts, Stocks } from "#shared/storage/catalog/catalog.ts";
import { type Table } from "#shared/storage/table.ts";
import { type Write, put } from "#shared/storage/writes.ts";
import { startDynamoDbProxy } from "#test/support/emulators/dynamodb-proxy.ts";
import { totalUnits } from "#test/support/emulators/dynamodb-calls.ts";
import { anEvent } from "#test/support/http/http-event.ts";
import { lambdaContext } from "#infra/local/lambda.ts";
import { aPublishedProduct, tableOf } from "#test/support/shop/plant.ts";
import { cpuMicroseconds } from "./cpu.ts";
import { type GrowthFigures, growthOf } from "./growth-section.ts";
import type { Section } from "./report.ts";

const sizes = [100, 10_000, 50_000];
const transactionSize = 100;
const transactionsAtOnce = 8;

const colors = ["grey", "blue", "green", "beige", "white", "black"];
const woods = ["Teak", "Oak", "Mango", "Walnut", "Cane", "Ash", "Sheesham", "Beech"];
const types = ["lounge chair", "dining table", "bookcase", "bench", "stool", "side table"];
const places = ["Oslo", "Bergen", "Jaipur", "Lisbon", "Kyoto", "Madras", "Turin", "Porto", "Delft"];

/** Product number `at`, the same at every size of the catalog. */
function numbered(at: number): { product: PublishedProduct; stock: Stock } {
  const pick = <Choice>(from: readonly Choice[], stride: number) =>
    from[Math.floor(at / stride) % from.length] as Choice;
  const [color, wood, type] = [pick(colors, 1), pick(woods, 6), pick(types, 48)];
  const template = aPublishedProduct();
  const [variant] = template.variants;
  if (!variant) throw new Error("A product without a variant");
  const sku = `GROWTH-${at}`;
  const product = aPublishedProduct({
    slug: `growth-${at}`,
    name: `${pick(places, 288)} ${wood.toLowerCase()} ${type} ${at.toString(36)}`,
    materials: [{ code: wood.toLowerCase(), label: wood }],
    options: [
      {
        code: "color",
        label: "Colour",
        values: [
          {
            code: color,
            label: color,
            swatch: { hex: null, image: null, color_group: color as "grey" },
          },
        ],
      },
    ],
    tags: [`tag-${at % 50}`],
    popularity: (at * 7919) % 10_007,
    variants: [
      { ...variant, sku, options: { color }, price: 100_000 + ((at * 104_729) % 9_000_000) },
    ],
  });
  const stock: Stock = {
    sku,
    owner: { kind: "product", id: product.id, slug: product.slug, variant_id: variant.id },
    on_hand: 20,
    reserved: 0,
    available: 20,
    policy: "deny",
    low_stock_threshold: 2,
    version: 1,
    updated_at: product.updated_at,
  };
  return { product, stock };
}

/** Stores rows in concurrent transactions. */
export async function storeAll(table: Table, writes: readonly Write[]): Promise<void> {
  const transactions = Array.from({ length: Math.ceil(writes.length / transactionSize) }, (_, at) =>
    writes.slice(at * transactionSize, (at + 1) * transactionSize),
  );
  const worker = async () => {
    for (let next = transactions.pop(); next; next = transactions.pop()) await table.transact(next);
  };
  await Promise.all(Array.from({ length: transactionsAtOnce }, worker));
}

const questions = {
  list: { path: "/products", query: { color: "grey,blue", sort: "price" } },
  "list with facets": { path: "/products", query: { color: "grey,blue", include: "facets" } },
  search: { path: "/products", query: { q: "teak chair" } },
  "search with a slip": { path: "/products", query: { q: "lisbon bookcsae" } },
  detail: { path: "/products/{slug}", params: { slug: "growth-42" } },
  related: { path: "/products/{slug}/related", params: { slug: "growth-42" } },
} as const;

/** A separate catalog function, as a new Lambda instance. */
async function catalogFunction(environment: StackEnvironment) {
  const family = families.find(({ name }) => name === "catalog");
  if (!family) throw new Error("There is no catalog family");
  const { handler, ...of } = await loadFamily(family, environment);
  return async ({ path, ...parts }: { path: string; query?: object; params?: object }) => {
    const event = anEvent(`GET /api/v1${path}`, parts as Parameters<typeof anEvent>[1]);
    const answer = (await handler(event, lambdaContext(of, "bench"))) as {
      statusCode: number;
      body: string;
    };
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`);
  };
}

export async function growthSection(): Promise<Section> {
  const stack = await startStack({ consumers: [] });
  const proxy = await startDynamoDbProxy(stack.environment.DYNAMODB_ENDPOINT);
  try {
    const table = tableOf(stack.environment);
    const { target } = connectIndexWriter(stack.environment);
    const entries: CatalogEntry[] = [];
    const measured: GrowthFigures = {};
    for (const size of sizes) {
      const writes: Write[] = [];
      for (let at = entries.length; at < size; at++) {
        const { product, stock } = numbered(at);
        writes.push(put(PublishedProducts, product), put(Stocks, stock));
        entries.push(catalogEntry(product, productCard(product, [stock]), new Map()));
      }
      await storeAll(table, writes);
      const parsed = entries.map((entry) => ({ ...entry, card: parsedBy(Card, entry.card) }));
      await rebuildIndex(target, async () => ({ entries: parsed, documents: {} }));

      const ask = await catalogFunction(stack.environment);
      const seen = await catalogFunction({
        ...stack.environment,
        DYNAMODB_ENDPOINT: proxy.endpoint,
      });
      for (const [name, question] of Object.entries(questions)) {
        await seen(question);
        const { calls } = await proxy.record(() => seen(question));
        const us = await cpuMicroseconds(() => ask(question), 150);
        (measured[name] ??= []).push({ units: totalUnits(calls).read, us });
      }
    }
    return growthOf({
      title: "Growth of the catalog",
      note:
        "Read units and CPU microseconds per request of a warm catalog function, with all LIVE and STOCK rows in " +
        "the table. Pages hold 24 cards; a detail includes the SDK's call. The goal is equal costs in each row.",
      of: "products",
      sizes,
      measured,
      picture: "growth-of-the-catalog.svg",
    });
  } finally {
    await proxy.stop();
    await stack.stop();
  }
}
