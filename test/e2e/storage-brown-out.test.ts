// @module-tag emulator
// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Functions, sourceFunctions } from "#infra/local/functions/load-function.ts";
import { type Client, clientOf } from "#test/support/http/client.ts";
import { signedIn } from "#test/support/people/people.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import { type ProxiedService, startProxiedService } from "#test/support/stack/table.ts";
import { aShopper } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table, world } = await useShop();

/** Functions whose time ends well before the timeouts of the table's clients and of the gateway. */
const hasty: Functions = {
  ...sourceFunctions,
  async family(family, environment) {
    const { handler, ...declared } = await sourceFunctions.family(family, environment);
    return {
      ...declared,
      handler: (event, context) =>
        handler(event, { ...context, getRemainingTimeInMillis: () => 2_000 }),
    };
  },
};

let service: ProxiedService;
let client: Client;
beforeAll(async () => {
  service = await startProxiedService(environment, { functions: hasty });
  client = clientOf(service.baseUrl);
});
afterAll(() => service.stop());

const bearer = async (guard: "customer" | "staff") => ({
  authorization: `Bearer ${(await signedIn(world, guard)).token}`,
});

test("reads and writes of guests, customers and staff return the service's own 503 with Retry-After while storage does not respond", async () => {
  const { sku, product } = await plantProduct(table, { units: 3 });
  const { headers: cart } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  const [customer, staff] = [await bearer("customer"), await bearer("staff")];
  const { result: replies } = await service.proxy.disturb(
    () => "answer-late",
    () =>
      Promise.all([
        client.get(`/products/${product.slug}`),
        client.get("/cart", cart),
        client.post("/checkout", aCheckout(), cart),
        client.get("/orders", customer),
        client.get("/admin/orders", staff),
        client.post("/leads", {
          type: "contact",
          name: "A",
          email: "a@example.com",
          consent: true,
        }),
      ]),
  );
  for (const { status, headers, body } of replies) {
    expect([status, body]).toEqual([
      503,
      { code: "unavailable", message: expect.any(String), request_id: expect.any(String) },
    ]);
    expect(headers.get("retry-after")).toMatch(/^\d+$/);
  }
});
