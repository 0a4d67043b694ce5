// @module-tag emulator
// @module-tag slow
import { beforeAll, expect, test } from "vitest";
import { plantCoupon, plantProduct } from "#test/support/shop/plant.ts";
import { aPerson } from "#test/support/shop/shopping.ts";
import { stormChecks } from "#test/support/hostile/storm-checks.ts";
import { type StormGround, stormLoad } from "#test/support/hostile/storm-load.ts";
import { everyEffect } from "#test/support/stack/effects.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table, stripe, staffAs } = await useShop({ effects: everyEffect });

const operations = 500;
const concurrency = 16;
const units = 100;

let ground: StormGround;
beforeAll(async () => {
  ground = {
    baseUrl,
    environment,
    staff: await staffAs("owner"),
    products: await Promise.all([1, 2, 3].map(() => plantProduct(table, { units }))),
    coupon: (await plantCoupon(table, { max_uses: 60, max_uses_per_customer: 50 })).code,
    people: Array.from({ length: 40 }, aPerson),
    seed: 20_261_121,
  };
});

test(`all counters match the orders after ${operations} random operations, ${concurrency} of them concurrently`, async () => {
  const storm = stormLoad(ground);
  let left = operations;
  const worker = async () => {
    while (left-- > 0) await storm.operate();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await stripe.quiet();
  const checks = stormChecks(ground, units);
  const records = await checks.settled(storm.placed.map(({ id }) => id));

  // No call failed with a server error.
  expect(storm.answers.filter(({ status }) => status >= 500)).toEqual([]);
  const seen = new Set(records.map(({ order }) => order.status));
  for (const status of ["pending_payment", "confirmed", "cancelled", "expired"] as const)
    expect([...seen]).toContain(status);
  expect(records.length).toBeGreaterThan(60);
  await checks.expectAllAgrees(records);
});
