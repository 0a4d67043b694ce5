// @module-tag slow
import { beforeAll, expect, test } from "vitest";
import { routeKey } from "#shared/http/route.ts";
import { clientOf } from "#test/support/http/client.ts";
import { differenceOf } from "#test/support/http/answers.ts";
import { secretUnits, visitShopping } from "#test/support/shop/shopping.ts";
import { type Visit, visitPublic } from "#test/support/calls/walk.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table } = await useShop();

const { MEDIA_BASE_URL } = environment;
/** `read` holds the public responses, `bought` the responses to a buyer, and `visits` both. */
let read: Visit[];
let bought: Visit[];
let visits: Visit[];
beforeAll(async () => {
  const all = await visitPublic(clientOf(baseUrl));
  read = all.filter(({ route }) => !route.outsideApi);
  bought = await visitShopping(baseUrl, table);
  visits = [...read, ...bought];
});

const inside = new Set([
  "cost",
  "on_hand",
  "reserved",
  "available_quantity",
  "low_stock_threshold",
  "pk",
  "sk",
  "gsi1pk",
  "gsi1sk",
  "gsi2pk",
  "gsi2sk",
  "ttl",
  "entity",
]);

function* entriesOf(value: unknown): Generator<[string, unknown]> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    yield [name, member];
    yield* entriesOf(member);
  }
}

/**
 * Whether a test created the record of this path, judged by its slug. The test may unpublish it after it was listed, so
 * its page may return 404.
 */
const isOfATest = (path: string) => /-[0-9a-f]{8}-[0-9a-f]{4}(?:\/|$)/.test(path);

test("every public route returns 200 in the demo shop", () => {
  expect(read.length).toBeGreaterThan(150);
  const failed = read.filter(
    ({ path, reply: { status } }) => status !== 200 && !(status === 404 && isOfATest(path)),
  );
  expect(failed.map(({ path, reply }) => `${path}: ${reply.text.slice(0, 200)}`)).toEqual([]);
});

test("the recorded requests of a buyer include successful and refused ones", () => {
  const statuses = bought.map(({ reply }) => reply.status);
  expect(new Set(statuses)).toEqual(new Set([200, 201, 409, 422]));
});

test("no public response contains internal data of the shop", () => {
  const leaks = visits.flatMap(({ path, reply }) =>
    [...entriesOf(reply.body)].flatMap(([name]) => (inside.has(name) ? [`${path}: ${name}`] : [])),
  );
  expect(leaks).toEqual([]);
});

test("no public response contains an exact stock above nine", () => {
  const quantities = read.flatMap(({ reply }) =>
    [...entriesOf(reply.body)].flatMap(([name, value]) => (name === "quantity" ? [value] : [])),
  );
  expect(quantities.length).toBeGreaterThan(0);
  expect(quantities.filter((quantity) => !/^(\d|null)$/.test(String(quantity)))).toEqual([]);

  // No response may contain the product's stock, neither before nor after one unit was bought.
  const exact = new RegExp(`\\b(?:${secretUnits}|${secretUnits - 1})\\b`);
  const disclosed = bought.flatMap(({ path, reply }) =>
    [...entriesOf(reply.body)].flatMap(([name, value]) =>
      name !== "quantity" && typeof value !== "object" && exact.test(JSON.stringify(value))
        ? [`${path}: ${name} = ${JSON.stringify(value)}`]
        : [],
    ),
  );
  expect(disclosed).toEqual([]);
});

test("no response reveals implementation details of the service", () => {
  const telling =
    /node_modules|stack trace|\.ts:\d+|dynamodb|media:\/\/|LIVE#|\bundefined\b|\[object Object\]/i;
  const found = visits.flatMap(({ path, reply }) => {
    const match = telling.exec(reply.text);
    return match
      ? [`${path}: …${reply.text.slice(Math.max(0, match.index - 60), match.index + 60)}…`]
      : [];
  });
  expect(found).toEqual([]);
});

test("every response matches the schema that its route declares", () => {
  const served = visits.filter(({ reply }) => reply.status < 400);
  const differing = served.flatMap(({ route, path, reply }) => {
    const difference = differenceOf(route, reply, MEDIA_BASE_URL);
    return difference === undefined ? [] : [`${routeKey(route)} at ${path}: ${difference}`];
  });
  expect(differing).toEqual([]);
});
