// @module-tag emulator
// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stack, startStack } from "#infra/local/stack.ts";
import { metricOf, rowName, sumOf, namesIn } from "#shared/domain/metrics/metrics.ts";
import { orderTally } from "#shared/domain/metrics/order-metrics.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { readMetrics, readCurrentTotals } from "#shared/storage/metrics/metrics.ts";
import { clientOf } from "#test/support/http/client.ts";
import { wakings } from "#test/support/crashing-metrics/consume.ts";
import { orderDesk } from "#test/support/back-office/orders.ts";
import {
  type PlantedProduct,
  plantProduct,
  plantSettings,
  tableOf,
} from "#test/support/shop/plant.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { awaits, consumersOf } from "#test/support/stack/effects.ts";

const distinct = 10_000;
const duplicates = 2_000;
const perCall = 50;

let stack: Stack;
let planted: PlantedProduct;
beforeAll(async () => {
  const crashing = consumersOf(["metrics"]).map((consumer) =>
    consumer.name === "on-change-metrics"
      ? { ...consumer, entry: "test/support/crashing-metrics/entry.ts" }
      : consumer,
  );
  stack = await startStack({
    consumers: crashing,
    async seed(environment) {
      const table = tableOf(environment);
      await plantSettings(table);
      planted = await plantProduct(table, { units: 10 });
    },
  });
});
afterAll(() => stack.stop());

/** Event `number`. Each session has ten: page views, a viewed product and, in every second session, a filled cart. */
function anEvent(number: number, now: number) {
  const session = Math.floor(number / 10);
  const step = number % 10;
  const name = step < 8 ? "page_view" : step === 8 ? "view_item" : "add_to_cart";
  return {
    event_id: `event-${number}`,
    session_id: `session-${session}`,
    name: name === "add_to_cart" && session % 2 === 1 ? "page_view" : name,
    occurred_at: new Date(now - (number % 3) * 86_400_000).toISOString(),
    page: { path: `/page-${step}?token=secret`, referrer: "https://www.google.com/search" },
    ...(step >= 8 && { items: [{ sku: planted.sku, quantity: 2 }], value: 100 }),
  };
}

test("metrics count exactly 10,000 visitor events, even if a fifth are sent twice and consumers crash", async () => {
  const now = Date.now() - 60_000;
  const events = Array.from({ length: distinct }, (_, number) => anEvent(number, now));
  // A fifth of the events is sent twice, in the same request or in different ones.
  const again = Array.from({ length: duplicates }, (_, turn) => events[(turn * 37) % distinct]!);
  const all = [...events, ...again].toSorted(
    (one, other) => scattered(one.event_id) - scattered(other.event_id),
  );
  const calls = Array.from({ length: all.length / perCall }, (_, call) =>
    all.slice(call * perCall, (call + 1) * perCall),
  );
  let accepted = 0;
  for (let burst = 0; burst < calls.length; burst += 24) {
    const replies = await Promise.all(
      calls
        .slice(burst, burst + 24)
        .map((batch) =>
          clientOf(stack.baseUrl).post<Data<{ accepted: number; rejected: unknown[] }>>(
            "/analytics/events",
            { events: batch },
          ),
        ),
    );
    for (const { status, body } of replies) {
      expect(status).toBe(202);
      expect(body.data.rejected).toEqual([]);
      accepted += body.data.accepted;
    }
  }
  expect(accepted).toBeGreaterThanOrEqual(distinct);
  await stack.settled();
  expect(wakings.crashed).toBeGreaterThan(5);

  const sums = await sumsOf("events");
  const named = (name: string) => events.filter((event) => event.name === name).length;
  expect(sums).toMatchObject({
    page_view: named("page_view"),
    view_item: named("view_item"),
    view_item_value: named("view_item") * 100,
    add_to_cart: named("add_to_cart"),
    add_to_cart_value: named("add_to_cart") * 100,
    // A session, and each funnel step that it reaches, counts once for each day on which it has events.
    sessions: new Set(events.map(sessionDay)).size,
    reached_view_item: named("view_item"),
    reached_add_to_cart: named("add_to_cart"),
  });
  const traffic = await sumsOf("traffic");
  expect(traffic[metricOf("source", "google.com")]).toBe(new Set(events.map(sessionDay)).size);
  expect(namesIn(traffic, "page").reduce((sum, [, views]) => sum + views, 0)).toBe(
    named("page_view"),
  );
  const products = await sumsOf("products");
  expect(products).toEqual({
    [metricOf("viewed", planted.product.id)]: named("view_item"),
    [metricOf("carted", planted.product.id)]: named("add_to_cart") * 2,
  });
});

test("sales metrics match the orders after concurrent changes and consumer crashes", async () => {
  const desk = orderDesk(stack.baseUrl, stack.environment);
  const placed = await Promise.all(
    Array.from({ length: 12 }, (_, number) =>
      desk.place(number % 3 === 0 ? "cod" : "bank_transfer"),
    ),
  );
  await Promise.all(
    placed.map(async ({ id, total }, number) => {
      if (number % 3 === 1) await desk.receive(id, total);
      if (number % 4 === 0) await desk.cancel(id);
      if (number % 6 === 2) await desk.expire(id);
    }),
  );
  await stack.settled();

  const records = await Promise.all(placed.map(({ read }) => read()));
  const owed = sumOf(...records.map((record) => orderTally(record, "Asia/Kolkata")));
  const rows = await readMetrics(tableOf(stack.environment), { topic: "sales", ...always });
  const sales = Object.entries(owed).filter(([row]) => row.startsWith("sales#"));
  expect(Object.fromEntries(Array.from(rows, ([day, by]) => [rowName("sales", day), by]))).toEqual(
    Object.fromEntries(sales),
  );
  const standing = await readCurrentTotals(tableOf(stack.environment));
  expect(standing).toMatchObject(owed[rowName("standing", "now")] ?? {});
});

/** A sort key that mixes the sessions, but keeps most events of a session together. */
const scattered = (id: string) => (Math.floor(Number(id.slice(6)) / 10) * 7_919) % 1_009;
const sessionDay = (event: { session_id: string; occurred_at: string }) =>
  `${event.session_id} ${dayIn("Asia/Kolkata", new Date(event.occurred_at))}`;

const always = { from: "2020-01-01", to: "2100-01-01" };

async function sumsOf(topic: "events" | "traffic" | "products"): Promise<Record<string, number>> {
  awaits("metrics");
  const rows = await readMetrics(tableOf(stack.environment), { topic, ...always });
  const sum: Record<string, number> = {};
  for (const metrics of rows.values()) {
    for (const [name, by] of Object.entries(metrics)) sum[name] = (sum[name] ?? 0) + by;
  }
  return sum;
}
