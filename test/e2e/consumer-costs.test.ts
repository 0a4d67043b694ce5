// @module-tag emulator
// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Consumer, consumers } from "#functions/consumers.ts";
import { startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
import { sourceFunctions } from "#infra/local/functions/load-function.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import type { StorageCall } from "#test/support/emulators/dynamodb-calls.ts";
import { type DynamoDbProxy, startDynamoDbProxy } from "#test/support/emulators/dynamodb-proxy.ts";
import { plantProduct, plantSettings, tableOf } from "#test/support/shop/plant.ts";
import { aShopper, tally } from "#test/support/shop/shopping.ts";
import { consumersOf, everyEffect } from "#test/support/stack/effects.ts";

const orders = 16;
const mostRequestsPerOrder = 5;

/** What an order causes. All other consumers run, too, and must have nothing to do. */
const caused = { effects: ["mail", "metrics", "order-names"] };
/** Every consumer of a queue, each with a proxy of its own that records its requests. */
const watched = consumers.filter(({ source }) => source.kind === "queue");
const proxies = new Map<string, DynamoDbProxy>();

let stack: Stack;
const started: { stop(): unknown }[] = [];
beforeAll(async () => {
  const dynamoDb = await startDynamoDb({ tableName: "consumer-costs", dropTable: true });
  started.push(dynamoDb);
  for (const { name } of watched) {
    const proxy = await startDynamoDbProxy(dynamoDb.endpoint);
    proxies.set(name, proxy);
    started.push(proxy);
  }
  stack = await startStack({
    dynamoDbEndpoint: dynamoDb.endpoint,
    tableName: dynamoDb.tableName,
    consumers: consumersOf(everyEffect),
    functions: {
      ...sourceFunctions,
      consumer: (consumer, environment) =>
        sourceFunctions.consumer(consumer, { ...environment, ...throughProxy(consumer) }),
    },
  });
  started.push(stack);
  await plantSettings(tableOf(stack.environment));
});
afterAll(async () => {
  for (const part of started.toReversed()) await part.stop();
});

function throughProxy({ name }: Consumer) {
  const endpoint = proxies.get(name)?.endpoint;
  return endpoint === undefined ? {} : { DYNAMODB_ENDPOINT: endpoint };
}

/** Does the work, and returns the requests that each consumer sent meanwhile. */
async function recorded(work: () => Promise<void>): Promise<Map<string, StorageCall[]>> {
  const recordings = [...proxies].reduce<() => Promise<[string, StorageCall[]][]>>(
    (inner, [name, proxy]) =>
      async () => {
        const { result, calls } = await proxy.record(inner);
        return [...result, [name, calls]];
      },
    async () => {
      await work();
      return [];
    },
  );
  return new Map(await recordings());
}

/** The kind of rows that a call is about, such as `ORDER`. */
function kindOf({ operation, partitions }: StorageCall): string {
  const kinds = new Set(partitions.map((partition) => partition.split("#", 1).join("")));
  return `${operation} ${[...kinds].join(" + ")}`;
}

/** The settings are read at most every two seconds, however many orders there are. */
const isOther = ({ partitions }: StorageCall): boolean =>
  partitions.every((partition) => partition === "SETTINGS");

test(`all consumers together send at most ${mostRequestsPerOrder} requests for each of ${orders} orders that are placed together`, async () => {
  const { sku } = await plantProduct(tableOf(stack.environment), { units: 100 });
  const items = [{ sku, quantity: 1 }];
  const shoppers = await Promise.all(
    Array.from({ length: orders }, () => aShopper(stack.baseUrl, items)),
  );
  await stack.settled();
  await stack.pauseConsumers();
  const replies = await Promise.all(shoppers.map(({ checkOut }) => checkOut()));
  expect(tally(replies)).toEqual({ "201": orders });

  const calls = await recorded(async () => {
    stack.resumeConsumers();
    await stack.settled();
  });
  let counted = 0;
  for (const [consumer, all] of calls) {
    const some = all.filter((call) => !isOther(call));
    counted += some.length;
    for (const [kind, { length }] of Map.groupBy(some, kindOf)) {
      console.info(`${(length / orders).toFixed(2)} per order: ${consumer}, ${kind}`);
    }
  }
  console.info(`${(counted / orders).toFixed(2)} per order`);
  const busy = [...calls].flatMap(([consumer, all]) => (all.length > 0 ? [consumer] : []));
  expect([busy, busy.length]).toEqual([busy, caused.effects.length]);
  const mails = calls.get("on-change-outbox")?.map(kindOf);
  const claimsAndEnds = mails?.filter((kind) => kind === "UpdateItem OUTBOX");
  expect(claimsAndEnds).toHaveLength(2 * orders);
  // Each mail needs its order without rows.
  expect(mails?.filter((kind) => kind === "Query ORDER")).toEqual([]);
  expect(counted / orders).toBeLessThanOrEqual(mostRequestsPerOrder);
});
