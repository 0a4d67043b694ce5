import { families } from "#functions/families.ts";
import { loadFamily } from "#infra/local/functions/load-function.ts";
import { lambdaContext } from "#infra/local/functions/lambda.ts";
import { type StackEnvironment, startStack } from "#infra/local/stack.ts";
import type { Verdict } from "#shared/auth/identity.ts";
import { rowName } from "#shared/domain/metrics/metrics.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { nameWordsOf } from "#shared/domain/order/order-names.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import { addTallies } from "#shared/storage/metrics/metrics.ts";
import { OrderNumbers, Orders, OrdersOfBuyer } from "#shared/storage/order/orders.ts";
import { OrdersOfName, namePlace } from "#shared/storage/order/order-names.ts";
import { ensureRoles } from "#shared/storage/staff/roles.ts";
import { type Write, put } from "#shared/storage/writes.ts";
import { totalUnits } from "#test/support/emulators/dynamodb-calls.ts";
import { startDynamoDbProxy } from "#test/support/emulators/dynamodb-proxy.ts";
import { anEvent } from "#test/support/http/in-process.ts";
import { signedIn, worldOf } from "#test/support/people/people.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { plantSettings } from "#test/support/shop/plant.ts";
import { cpuMicroseconds } from "./cpu.ts";
import { storeAll } from "./growth.ts";
import { type GrowthFigures, growthOf } from "./growth-section.ts";
import type { Section } from "./report.ts";

const sizes = [100, 10_000, 100_000];
const dayMs = 86_400_000;
/** The number of days over which orders are spread. */
const days = 300;
const email = "asha@example.com";

/** Formats an order number in groups of four characters. */
const numberAt = (at: number): string =>
  `FS${at
    .toString(8)
    .padStart(12, "0")
    .replaceAll(/./g, (digit) => String(Number(digit) + 2))
    .replaceAll(/.{4}/g, "-$&")}`;

/** Order number `at` with its rows. One in three is open; the first ones belong to one buyer. */
function numbered(at: number, now: Date): { order: StoredOrder; writes: Write[] } {
  const placed = new Date(now.getTime() - ((at * 7919) % (days * 24)) * (dayMs / 24) - at);
  const order: StoredOrder = {
    ...aPlacedOrder(),
    id: newId("ord", placed),
    number: numberAt(at),
    status: at % 3 === 0 ? "confirmed" : "completed",
    placed_at: placed.toISOString(),
    updated_at: placed.toISOString(),
  };
  const { id, number } = order;
  const rows = [put(Orders, order), put(OrderNumbers, { number, order_id: id })];
  const buyer = `email#${email}` as const;
  const isHers = at < 125 && at % 5 === 0;
  const placed_at = order.placed_at;
  // Every buyer has the same name.
  const words = nameWordsOf(order.customer.name, order.addresses.shipping.name);
  const names = words.map((word) =>
    put(OrdersOfName, { ...namePlace(word, order), placed_at, words }),
  );
  return {
    order,
    writes: [
      ...rows,
      ...names,
      ...(isHers ? [put(OrdersOfBuyer, { buyer, placed_at, order_id: id })] : []),
    ],
  };
}

/** Dashboard metrics that count this many orders. The number of rows is always the same. */
function metricsOf(count: number, now: Date): Write[] {
  return Array.from({ length: 61 }, (_, back) => {
    const day = new Date(now.getTime() - back * dayMs).toISOString().slice(0, 10);
    const orders = Math.ceil(count / days);
    const tally = { [rowName("sales", day)]: { orders, revenue: orders } };
    return addTallies([{ tally, key: String(back) }]);
  }).flat();
}

interface Question {
  readonly family: string;
  readonly route: string;
  readonly query?: Record<string, string>;
  readonly params?: Record<string, string>;
}

const questionsAbout = (order: StoredOrder): Record<string, Question> => ({
  "staff's order list": { family: "admin-orders", route: "/admin/orders" },
  "open orders of a state": {
    family: "admin-orders",
    route: "/admin/orders",
    query: { status: "confirmed" },
  },
  "orders of a name": { family: "admin-orders", route: "/admin/orders", query: { q: "Asha" } },
  "orders of two names": {
    family: "admin-orders",
    route: "/admin/orders",
    query: { q: "rao ash" },
  },
  "orders of an email": { family: "admin-orders", route: "/admin/orders", query: { q: email } },
  "order by its number": {
    family: "admin-orders",
    route: "/admin/orders",
    query: { q: order.number },
  },
  "order detail": {
    family: "admin-orders",
    route: "/admin/orders/{id}",
    params: { id: order.id },
  },
  dashboard: { family: "admin-insights", route: "/admin/dashboard" },
});

/** Calls a warm function in this process as its gateway would for a signed-in owner. */
async function askerOf(environment: StackEnvironment, verdict: Verdict) {
  const loaded = await Promise.all(
    families
      .filter(({ name }) => name === "admin-orders" || name === "admin-insights")
      .map(async (family) => [family.name, await loadFamily(family, environment)] as const),
  );
  const functions = new Map(loaded);
  return async ({ family, route, ...parts }: Question) => {
    const target = functions.get(family);
    if (!target) throw new Error(`There is no family ${family}`);
    const event = anEvent(`GET /api/v1${route}`, { ...parts, verdict });
    const answer = (await target.handler(event, lambdaContext(target, "bench"))) as {
      statusCode: number;
      body: string;
    };
    if (answer.statusCode !== 200) throw new Error(`${route}: ${answer.statusCode} ${answer.body}`);
  };
}

/** Measures requests of staff while the number of orders grows. */
export async function orderGrowthSection(): Promise<Section> {
  const stack = await startStack({ consumers: [] });
  const proxy = await startDynamoDbProxy(stack.environment.DYNAMODB_ENDPOINT);
  try {
    const now = new Date();
    const world = worldOf(stack.environment);
    await plantSettings(world.table);
    await ensureRoles(world.table, now);
    const { claims } = await signedIn(world, "staff");
    const { role, ...rest } = claims;
    const verdict: Verdict = { ...rest, ...(role !== null && { role }) };
    const ask = await askerOf(stack.environment, verdict);
    const seen = await askerOf(
      { ...stack.environment, DYNAMODB_ENDPOINT: proxy.endpoint },
      verdict,
    );
    const measured: GrowthFigures = {};
    const first = numbered(0, now);
    let stored = 0;
    for (const size of sizes) {
      const writes: Write[] = stored === 0 ? [...first.writes] : [];
      for (let at = Math.max(1, stored); at < size; at++) writes.push(...numbered(at, now).writes);
      stored = size;
      await storeAll(world.table, writes);
      for (const write of metricsOf(size, now)) await world.table.write(write);
      for (const [name, question] of Object.entries(questionsAbout(first.order))) {
        await seen(question);
        const { calls } = await proxy.record(() => seen(question));
        const us = await cpuMicroseconds(() => ask(question), 20, 5);
        (measured[name] ??= []).push({ units: totalUnits(calls).read, us });
      }
    }
    return growthOf({
      title: "Growth of orders",
      note:
        "Read units and CPU microseconds per request of warm functions for staff, the guard's read of session and " +
        "user included, with this many orders over ten months in the table. The goal is equal costs in each row.",
      of: "orders",
      sizes,
      measured,
      picture: "growth-of-orders.svg",
    });
  } finally {
    await proxy.stop();
    await stack.stop();
  }
}
