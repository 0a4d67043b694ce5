// @module-tag emulator
// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { contention } from "#test/support/emulators/call-faults.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Reply, clientOf } from "#test/support/http/client.ts";
import { aCheckout, plantCoupon, plantProduct } from "#test/support/shop/plant.ts";
import { aShopper, tally } from "#test/support/shop/shopping.ts";
import { type ProxiedService, startProxiedService } from "#test/support/stack/table.ts";
import { everyEffect } from "#test/support/stack/effects.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table } = await useShop({ effects: everyEffect });

/**
 * How many checkouts are in progress at any time. More would wait for this machine's processors, while each instance of
 * a function on AWS has its own.
 */
const concurrency = 25;
const limits = { conflictsPerTransaction: 3, unitsPerSecond: 1_000 };

let service: ProxiedService;
beforeAll(async () => {
  service = await startProxiedService(environment);
});
afterAll(() => service.stop());

/** Calls `work` this many times, some of them concurrently. */
async function repeated<Result>(count: number, work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let left = count;
  const worker = async () => {
    while (left-- > 0) results.push(await work());
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}

/** Lets buyers with one item in the cart check out once each, under the limits of AWS. Prints time and outcomes. */
async function storm(buyers: number, sku: string, overrides = {}) {
  const shoppers = await repeated(buyers, () => aShopper(baseUrl, [{ sku, quantity: 1 }]));
  const { script, outcomes } = contention(limits);
  const begun = performance.now();
  const { result: replies } = await service.proxy.disturb(script, () =>
    repeated(buyers, async (): Promise<Reply<Partial<Problem>>> => {
      const { headers } = shoppers.pop() ?? {};
      return clientOf(service.baseUrl).post("/checkout", aCheckout(overrides), headers);
    }),
  );
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.info(`${buyers} buyers, ${seconds} s:`, tally(replies), "transactions:", outcomes);
  // With fewer conflicts, the test would not prove that checkouts survive them.
  expect(outcomes.conflicts).toBeGreaterThan(outcomes.admitted);
  return tally(replies);
}

test("1,000 buyers of 50 units place 50 orders and get 950 refusals, although most of their transactions conflict", async () => {
  const { sku, stock } = await plantProduct(table, { units: 50 });
  expect(await storm(1_000, sku)).toEqual({ "201": 50, "409 insufficient_stock": 950 });
  expect(await stock()).toMatchObject({ on_hand: 50, reserved: 50, available: 0 });
});

test("300 buyers with a coupon for 20 orders use it 20 times, although most of their transactions conflict", async () => {
  const { sku, stock } = await plantProduct(table, { units: 300 });
  const { code } = await plantCoupon(table, { max_uses: 20 });
  expect(await storm(300, sku, { coupon: code })).toEqual({
    "201": 20,
    "422 validation_failed": 280,
  });
  expect((await stock()).reserved).toBe(20);
});
