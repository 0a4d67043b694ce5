import { openers as openersOfWriter } from "#infra/generated/entries/on-change-catalog-index.ts";
import { openShop } from "#shared/application/shop.ts";
import type { CatalogEntry } from "#shared/domain/catalog/card.ts";
import { families } from "#functions/families.ts";
import { loadFamily } from "#infra/local/functions/load-function.ts";
import { type StackEnvironment, startStack } from "#infra/local/stack.ts";
import { PublishedProducts, Stocks } from "#shared/storage/catalog/catalog.ts";
import { type Table } from "#shared/storage/table.ts";
import { type Write, put } from "#shared/storage/writes.ts";
import { startDynamoDbProxy } from "#test/support/emulators/dynamodb-proxy.ts";
import { totalUnits } from "#test/support/emulators/dynamodb-calls.ts";
import { anEvent } from "#test/support/http/in-process.ts";
import { lambdaContext } from "#infra/local/functions/lambda.ts";
import { tableOf } from "#test/support/shop/plant.ts";
import { cpuMicroseconds } from "./cpu.ts";
import { entryOf, numbered, writeIndex } from "./growing-catalog.ts";
import { type GrowthFigures, growthOf } from "./growth-section.ts";
import type { Section } from "./report.ts";

const sizes = [100, 10_000, 50_000];
/** DynamoDB's limit, less the write that raises the public generation. */
const transactionSize = 99;
const transactionsAtOnce = 8;

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
  "search with a typo": { path: "/products", query: { q: "lisbon bookcsae" } },
  detail: { path: "/products/{slug}", params: { slug: "growth-42" } },
  related: { path: "/products/{slug}/related", params: { slug: "growth-42" } },
} as const;

/** A separate catalog function, like a new Lambda instance. */
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
    const writer = openShop(stack.environment, openersOfWriter).catalogIndexWriter;
    const entries: CatalogEntry[] = [];
    const measured: GrowthFigures = {};
    for (const size of sizes) {
      const writes: Write[] = [];
      for (let at = entries.length; at < size; at++) {
        const { product, stock } = numbered(at);
        writes.push(put(PublishedProducts, product), put(Stocks, stock));
        entries.push(entryOf({ product, stock }));
      }
      await storeAll(table, writes);
      await writeIndex(writer, entries);

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
