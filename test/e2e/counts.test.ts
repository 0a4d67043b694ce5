// @module-tag emulator
// @module-tag slow
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import { type Stack, startStack } from "#infra/local/stack.ts";
import { type Counted, countedNames } from "#shared/runtime/count.ts";
import { blockMail } from "#shared/storage/customer/mail-blocks.ts";
import type { Table } from "#shared/storage/table.ts";
import { transactionsTogether } from "#test/support/emulators/dynamodb-proxy.ts";
import { plantProduct, plantSettings, tableOf } from "#test/support/shop/plant.ts";
import { aPerson, aShopper, tally } from "#test/support/shop/shopping.ts";
import { type ProxiedService, startProxiedService } from "#test/support/stack/table.ts";
import { consumersOf } from "#test/support/stack/effects.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";

const MetricLine = z.looseObject({
  _aws: z.object({
    CloudWatchMetrics: z.tuple([
      z.object({ Metrics: z.tuple([z.object({ Name: z.enum(countedNames) })]) }),
    ]),
  }),
  reason: z.string().optional(),
});
type Count = readonly [name: Counted, reason?: string];

let counts: Count[];
let stack: Stack;
let table: Table;
let shop: ProxiedService;
beforeAll(async () => {
  vi.stubEnv("POWERTOOLS_METRICS_NAMESPACE", "furniture-dev");
  // All tests set POWERTOOLS_DEV, which disables metrics unless this variable is "false".
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
  counts = [];
  vi.spyOn(console, "log").mockImplementation((text: unknown) => {
    if (typeof text !== "string" || !text.includes('"_aws"')) return;
    const { _aws, reason } = MetricLine.parse(JSON.parse(text));
    const { Name } = _aws.CloudWatchMetrics[0].Metrics[0];
    counts.push(reason === undefined ? [Name] : [Name, reason]);
  });
  stack = await startStack({
    dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    consumers: consumersOf(["mail"]),
  });
  table = tableOf(stack.environment);
  await plantSettings(table);
  shop = await startProxiedService(stack.environment);
});
afterAll(async () => {
  await shop.stop();
  await stack.stop();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Runs the work, and waits until the recorded counts include `expected`. */
async function countedDuring(work: () => Promise<void>, expected: readonly Count[]): Promise<void> {
  counts.length = 0;
  await work();
  await stack.settled();
  await waitFor("mail", async () => expect(counts).toEqual(expect.arrayContaining([...expected])));
}
const times = (name: Counted) => counts.filter(([each]) => each === name).length;

test("an order and its mail are counted once, and the first call of each function is counted as a cold start", async () => {
  const { sku } = await plantProduct(table);
  await countedDuring(async () => {
    const buyer = await aShopper(shop.baseUrl, [{ sku, quantity: 1 }]);
    expect((await buyer.checkOut()).status).toBe(201);
  }, [["OrdersPlaced"], ["MailsSent"], ["ColdStarts"]]);
  expect([times("OrdersPlaced"), times("MailsSent")]).toEqual([1, 1]);
  // Cold starts of the cart, the checkout, and the consumers that processed the order.
  expect(times("ColdStarts")).toBeGreaterThanOrEqual(3);
});

test("a refused checkout is counted by its error code", async () => {
  const { sku } = await plantProduct(table);
  await countedDuring(async () => {
    const buyer = await aShopper(shop.baseUrl, [{ sku, quantity: 1 }]);
    expect((await buyer.checkOut({ expected_total: 1 })).status).toBe(409);
  }, [["OrdersRefused", "price_changed"]]);
  expect([times("OrdersRefused"), times("OrdersPlaced")]).toEqual([1, 0]);
});

test("a buyer who loses the last unit during checkout is counted as a stock conflict", async () => {
  const { sku } = await plantProduct(table, { units: 1 });
  await countedDuring(async () => {
    const buyers = [
      await aShopper(shop.baseUrl, [{ sku, quantity: 1 }]),
      await aShopper(shop.baseUrl, [{ sku, quantity: 1 }]),
    ];
    const { result: replies } = await shop.proxy.disturb(transactionsTogether(2), () =>
      Promise.all(buyers.map(({ checkOut }) => checkOut())),
    );
    expect(tally(replies)).toEqual({ "201": 1, "409 insufficient_stock": 1 });
  }, [["StockConflicts"], ["OrdersRefused", "insufficient_stock"], ["OrdersPlaced"]]);
  expect(times("StockConflicts")).toBe(1);
});

test("a mail to a blocked address is counted as given up, with the reason", async () => {
  const { sku } = await plantProduct(table);
  const { email } = aPerson();
  await table.write(blockMail({ email, reason: "bounced", at: new Date().toISOString() }));
  await countedDuring(async () => {
    const buyer = await aShopper(shop.baseUrl, [{ sku, quantity: 1 }]);
    expect((await buyer.checkOut({ email })).status).toBe(201);
  }, [["MailsGivenUp", "bounced"]]);
  expect(times("MailsSent")).toBe(0);
});
