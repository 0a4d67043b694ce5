import { afterAll, beforeAll, expect, test } from "vitest";
import type { Stack } from "#infra/local/stack.ts";
import { plantSettings, tableOf } from "../support/shop/plant.ts";
import { visitShopping } from "#test/support/shop/shopping.ts";
import { startGuardedStack } from "#test/support/stack/shop.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startGuardedStack({
    // Its consumers read the stream of DynamoDB Local.
    effects: ["catalog-index", "mail", "metrics"],
    dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    seed: async (environment) => plantSettings(tableOf(environment)),
  });
});
afterAll(async () => stack?.stop());

test("a buyer fills a cart, meets the shop's refusals, buys and tracks the order", async () => {
  const visits = await visitShopping(stack.baseUrl, tableOf(stack.environment));
  await stack.settled();
  expect(visits.map(({ route, reply }) => `${route.method} ${route.path} ${reply.status}`)).toEqual(
    [
      "PATCH /cart/items 422",
      "PATCH /cart/items 422",
      "PATCH /cart/items 200",
      "POST /checkout/coupon 200",
      "POST /checkout/coupon 200",
      "GET /shipping/quote 200",
      "GET /cart 200",
      "POST /checkout 422",
      "POST /checkout 409",
      "POST /checkout 409",
      "POST /checkout 201",
      "POST /checkout/{order}/confirm 200",
      "GET /orders/track/{number} 200",
    ],
  );
});
