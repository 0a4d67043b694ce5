import { afterAll, beforeAll, expect, test } from "vitest";
import { families } from "#functions/families.ts";
import type { Stack } from "#infra/local/stack.ts";
import { startGuardedStack } from "#test/support/stack/shop.ts";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { signatureOf } from "#infra/local/stripe/webhooks.ts";
import { clientOf } from "#test/support/http/client.ts";
import { plantProduct, plantSettings, tableOf } from "#test/support/shop/plant.ts";
import { aShopper } from "#test/support/shop/shopping.ts";

/** A shop with online payment enabled but without keys for Stripe. */
let shop: Stack;

beforeAll(async () => {
  shop = await startGuardedStack({
    families: families.filter(({ name }) => ["cart", "checkout", "webhooks"].includes(name)),
    seed: (environment) => plantSettings(tableOf(environment)),
  });
});
afterAll(() => shop.stop());

async function aGuest() {
  const { sku } = await plantProduct(tableOf(shop.environment));
  return aShopper(shop.baseUrl, [{ sku, quantity: 1 }]);
}

test("checkout refuses gateway payments while no gateway keys are configured", async () => {
  const { checkOut, client, headers } = await aGuest();
  const refused = await checkOut({ payment_method: "gateway" });
  expect(refused.status).toBe(422);
  expect(refused.body.errors?.["payment_method"]?.[0]).toMatch(/not configured/);

  const { body } = await checkOut({ payment_method: "bank_transfer" });
  const path = `/checkout/${body.data.order.id}/payment`;
  const { status, text } = await client.post(path, { payment_method: "gateway" }, headers);
  expect(status).toBe(422);
  expect(text).toMatch(/not configured/);
});

test("payment webhooks are refused while no webhook secret is configured", async () => {
  const body = JSON.stringify({ id: "evt_1", data: { object: { object: "charge" } } });
  const signature = signatureOf(body, emulatorKeys.webhookSecret, Math.floor(Date.now() / 1000));
  const { status } = await clientOf(shop.baseUrl).send("POST", "/webhooks/payments/stripe", {
    body,
    headers: { "stripe-signature": signature },
  });
  expect(status).toBe(503);
});
