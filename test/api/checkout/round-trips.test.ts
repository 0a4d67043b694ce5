import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type StorageCall, sequentialSteps } from "#test/support/emulators/dynamodb-calls.ts";
import { plantProduct, tableOf } from "#test/support/shop/plant.ts";
import { type ProxiedService, startProxiedService } from "#test/support/stack/proxied-service.ts";
import { type Shopper, aShopper } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { environment } = await useShop();

const table = tableOf(environment);
let service: ProxiedService;
beforeAll(async () => {
  service = await startProxiedService(environment, { latencyMs: 15 });
});
afterAll(() => service.stop());

async function aBuyer(): Promise<Shopper & { sku: string }> {
  const { sku } = await plantProduct(table);
  return { sku, ...(await aShopper(service.baseUrl, [{ sku, quantity: 1 }])) };
}

async function stepsOf(work: (buyer: Shopper & { sku: string }) => Promise<unknown>) {
  const buyer = await aBuyer();
  const { calls } = await service.proxy.record(() => work(buyer));
  return { steps: sequentialSteps(calls), calls };
}

const inconsistent = (calls: readonly StorageCall[]) =>
  calls.filter(({ consistent }) => consistent === false);

describe("a buyer's request", () => {
  test.each<[string, number, (buyer: Shopper & { sku: string }) => Promise<unknown>]>([
    ["reads a cart", 2, ({ read }) => read()],
    [
      "quotes shipping",
      2,
      ({ client, headers }) => client.get("/shipping/quote?postal_code=560001", headers),
    ],
    // The steps: two steps of reads, with the increment of the rate counter beside them, then the write of the cart.
    [
      "adds a line",
      3,
      ({ client, headers, sku }) =>
        client.patch("/cart/items", { items: [{ sku, quantity: 1 }] }, headers),
    ],
    ["places an order", 4, ({ checkOut }) => checkOut()],
  ])(
    "that %s takes at most %i sequential storage steps and only strongly consistent reads",
    async (_, most, work) => {
      const { steps, calls } = await stepsOf(work);
      expect(steps).toBeLessThanOrEqual(most);
      expect(inconsistent(calls)).toEqual([]);
    },
  );
});
