import { afterAll, beforeAll, expect, test } from "vitest";
import { startDynamoDb } from "#infra/local/dynamodb.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import type { StorageCall } from "#test/support/emulators/dynamodb-calls.ts";
import { type DynamoDbProxy, startDynamoDbProxy } from "#test/support/emulators/dynamodb-proxy.ts";
import { plantProduct, plantSettings, tableOf } from "#test/support/shop/plant.ts";
import { aShopper, tally, untilServed } from "#test/support/shop/shopping.ts";

const orders = 16;
/** On a busy machine, some mails are tried a second time before their PDF is made. */
const mostRequestsPerOrder = 16;

let proxy: DynamoDbProxy;
let stack: Stack;
const started: { stop(): unknown }[] = [];
beforeAll(async () => {
  const dynamoDb = await startDynamoDb({ tableName: "consumer-costs", dropTable: true });
  started.push(dynamoDb);
  proxy = await startDynamoDbProxy(dynamoDb.endpoint);
  started.push(proxy);
  stack = await startStack({
    dynamoDbEndpoint: dynamoDb.endpoint,
    tableName: dynamoDb.tableName,
    environment: { DYNAMODB_ENDPOINT: proxy.endpoint },
  });
  started.push(stack);
  await plantSettings(tableOf(stack.environment));
});
afterAll(async () => {
  for (const part of started.toReversed()) await part.stop();
});

/** The kind of rows that a call is about, such as `ORDER`. */
function kindOf({ operation, partitions }: StorageCall): string {
  const kinds = new Set(partitions.map((partition) => partition.split("#", 1).join("")));
  return `${operation} ${[...kinds].join(" + ")}`;
}

/** Whether no order caused the call: a scheduled function made it, or it checks the state of a read model. */
const isOther = ({ partitions }: StorageCall): boolean =>
  partitions.every((partition) =>
    /^(?:DUE|MARKETINGDUE|SETTINGS|PUBLIC|VIEW#catalog|FEEDS|INVOICESTOISSUE)$/.test(partition),
  );

test(`all consumers together send at most ${mostRequestsPerOrder} requests for each of ${orders} orders that are placed together`, async () => {
  const { sku } = await plantProduct(tableOf(stack.environment), { units: 100 });
  const items = [{ sku, quantity: 1 }];
  const shoppers = await Promise.all(
    Array.from({ length: orders }, () => aShopper(stack.baseUrl, items)),
  );
  await stack.settled();
  stack.pauseConsumers();
  const replies = await Promise.all(shoppers.map(({ checkOut }) => untilServed(() => checkOut())));
  expect(tally(replies)).toEqual({ "201": orders });

  const { calls } = await proxy.record(async () => {
    stack.resumeConsumers();
    await stack.settled();
  });
  const counted = calls.filter((call) => !isOther(call));
  const byKind = Map.groupBy(counted, kindOf);
  for (const [kind, { length }] of [...byKind].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )) {
    console.info(`${(length / orders).toFixed(2)} per order: ${kind}`);
  }
  expect(counted.length / orders).toBeLessThanOrEqual(mostRequestsPerOrder);
});
