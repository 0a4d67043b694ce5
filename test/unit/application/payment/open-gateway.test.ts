import { randomBytes } from "node:crypto";
import { ulid } from "ulid";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { type StripeEmulator, startStripe } from "#infra/local/stripe/emulator.ts";
import { openGateways } from "#shared/application/payment/open-gateway.ts";
import { plainLog } from "#shared/runtime/log.ts";
import {
  type SecretChanges,
  changeSecrets,
  openSecrets,
} from "#shared/storage/settings/secrets.ts";
import { putSettings } from "#shared/storage/settings/put-settings.ts";
import { openGroups } from "#shared/storage/settings/settings.ts";
import { somePayments } from "#test/support/shop/commerce.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let store: TestTable;
let emulator: StripeEmulator;
beforeAll(async () => {
  store = await startTestTable();
  emulator = await startStripe({ webhookUrl: "http://127.0.0.1:9/" });
});
afterAll(async () => {
  await emulator.stop();
  await store.stop();
});

const ring = { current: { kid: "k", secret: randomBytes(32).toString("base64url") } };
const keys = async () => ring;
/** Each call of `now` is ten seconds later, so that no cached value is used. */
let clock = 0;
const now = () => (clock += 10_000);

const secrets = () => openSecrets({ table: store.table, keys, log: plainLog, now });
function gateways() {
  const settings = openGroups(store.table, ["payments"], now);
  const opened = openGateways({
    settings,
    secrets: secrets(),
    endpoint: emulator.endpoint,
    log: plainLog,
  });
  return {
    ...opened,
    current: async () => opened.current((await settings.latest()).payments),
  };
}

const ours = {
  enabled: true,
  label: "Card",
  expires_after_minutes: 30,
  publishable_key: emulatorKeys.publishableKey as string | null,
};
const saveSettings = (gateway: Partial<typeof ours> = {}) =>
  store.table.write(putSettings("payments", somePayments({ gateway: { ...ours, ...gateway } }), 1));
async function saveSecrets(changes: SecretChanges) {
  const change = changeSecrets(await secrets().read("payments"), changes);
  if (change) await store.table.write(change);
}

beforeEach(async () => {
  await saveSettings();
  await saveSecrets({
    "gateway.secret_key": emulatorKeys.secretKey,
    "gateway.webhook_secret": emulatorKeys.webhookSecret,
  });
});

test("the gateway client is reused until its keys change", async () => {
  const { current, webhookSecret } = gateways();
  const gateway = await current();
  expect(gateway?.publishableKey).toBe(emulatorKeys.publishableKey);
  const payment = await gateway?.create({
    orderId: `ord_${ulid()}`,
    orderNumber: "FS-1",
    attempt: 1,
    amount: 100,
    currency: "INR",
    email: "asha@example.com",
  });
  expect(payment?.state).toBe("open");
  expect(await webhookSecret()).toBe(emulatorKeys.webhookSecret);
  expect(await current()).toBe(gateway);
  await saveSecrets({ "gateway.secret_key": "sk_test_ofTheNextYear" });
  expect(await current()).not.toBe(gateway);
});

test("the gateway is unavailable while it is disabled or one of its keys is missing", async () => {
  const { current } = gateways();
  await saveSettings({ enabled: false });
  expect(await current()).toBeNull();
  await saveSettings({ publishable_key: null });
  expect(await current()).toBeNull();
  await saveSettings();
  expect(await current()).not.toBeNull();
  await saveSecrets({ "gateway.secret_key": null });
  expect(await current()).toBeNull();
});

test("webhooks of earlier payments are verified even while the gateway is disabled", async () => {
  const { webhookSecret } = gateways();
  await saveSettings({ enabled: false });
  expect(await webhookSecret()).toBe(emulatorKeys.webhookSecret);
  await saveSecrets({ "gateway.webhook_secret": null });
  expect(await webhookSecret()).toBeNull();
});

test("earlier payments can be read while the gateway is disabled, as long as its keys are configured", async () => {
  const { configured } = gateways();
  await saveSettings({ enabled: false });
  expect(await configured()).not.toBeNull();
  await saveSecrets({ "gateway.secret_key": null });
  expect(await configured()).toBeNull();
});
