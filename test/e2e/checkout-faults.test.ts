// @module-tag emulator
// @module-tag slow
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { Table } from "#shared/storage/table.ts";
import {
  type CheckoutTrial,
  placed,
  prepareCheckout,
  quantity,
  untouched,
} from "#test/support/back-office/checkout-trial.ts";
import { type Client, clientOf } from "#test/support/http/client.ts";
import type { StorageCall } from "#test/support/emulators/dynamodb-calls.ts";
import {
  type Fault,
  type FaultScript,
  failing,
  failingOnce,
} from "#test/support/emulators/dynamodb-proxy.ts";
import { plantProduct, tableOf } from "#test/support/shop/plant.ts";
import { type ProxiedService, startProxiedService } from "#test/support/stack/table.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment } = await useShop();

let table: Table;
let service: ProxiedService;
let lastCall: number;
beforeAll(async () => {
  table = tableOf(environment);
  service = await startProxiedService(environment);
  lastCall = (await checkOut(await aTrial(), () => undefined)).calls.length;
});
afterAll(() => service.stop());

/** Creates the cart through the shared stack, whose calls to the table do not fail. */
const aTrial = () => prepareCheckout(table, baseUrl);

async function checkOut(trial: CheckoutTrial, script: FaultScript) {
  const { result, calls } = await service.proxy.disturb(script, () => trial.send(service.baseUrl));
  return { reply: result, calls };
}

/** Asserts that a disturbed checkout stored everything or nothing, and that repeating it yields one order. */
async function expectOneOrder(trial: CheckoutTrial, script: FaultScript): Promise<void> {
  const { reply } = await checkOut(trial, script);
  const after = await trial.trace();
  expect([untouched, placed(after.orders[0] ?? "")]).toContainEqual(after);
  if (reply.status === 201) {
    expect(after).toEqual(placed(reply.body.data.order.id));
  } else {
    expect(reply.status).toBe(503);
    expect(reply.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(reply.body.code).toBe("unavailable");
  }

  const { reply: again } = await checkOut(trial, () => undefined);
  expect(again.status).toBe(201);
  expect(await trial.trace()).toEqual(placed(again.body.data.order.id));
  if (after.orders.length > 0) {
    expect(again.body.data.order.id).toBe(after.orders[0]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  }
}

test("a checkout writes in one transaction, and every read is strongly consistent", async () => {
  const { reply, calls } = await checkOut(await aTrial(), () => undefined);
  expect(reply.status).toBe(201);
  expect(calls.filter(({ operation }) => operation === "TransactWriteItems")).toHaveLength(1);
  expect(calls.filter(({ consistent }) => consistent === false)).toEqual([]);
});

const faults: Fault[] = ["reset", "server-error", "throttled", "answer-lost"];

describe.each(faults)('a checkout during the storage fault "%s"', (fault) => {
  test("stores the complete order or nothing while the fault lasts, and exactly one order when the checkout is repeated afterwards", async () => {
    for (let position = 1; position <= lastCall; position++) {
      await expectOneOrder(await aTrial(), failing(position, fault));
    }
  });

  test("succeeds if the fault occurs once, in any storage call", async () => {
    for (let position = 1; position <= lastCall; position++) {
      const trial = await aTrial();
      const { reply } = await checkOut(trial, failingOnce(position, fault));
      expect([position, reply.status]).toEqual([position, 201]);
      expect(await trial.trace()).toEqual(placed(reply.body.data.order.id));
    }
  });
});

const isTransaction = ({ operation }: StorageCall) => operation === "TransactWriteItems";

describe("in a function whose clients and retries give up after some seconds", () => {
  let impatient: ProxiedService;
  beforeAll(async () => {
    vi.stubEnv("TIMEOUT_MULTIPLIER", "0.5");
    impatient = await startProxiedService(environment, { timeoutMultiplier: 60 });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await impatient.stop();
  });

  test("a transaction whose response is late is not applied twice", async () => {
    const trial = await aTrial();
    const { result: reply } = await impatient.proxy.disturb(
      (call) => (isTransaction(call) && call.attempt === 1 ? "answer-late" : undefined),
      () => trial.send(impatient.baseUrl),
    );
    expect(reply.status).toBe(201);
    expect(await trial.trace()).toEqual(placed(reply.body.data.order.id));
  });

  test("a checkout returns 503 and stores nothing if every transaction conflicts", async () => {
    const trial = await aTrial();
    const { result: reply, calls } = await impatient.proxy.disturb(
      (call) => (isTransaction(call) ? "conflict" : undefined),
      () => trial.send(impatient.baseUrl),
    );
    expect(reply.status).toBe(503);
    expect(reply.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(calls.filter(isTransaction).length).toBeGreaterThan(1);
    expect(await trial.trace()).toEqual(untouched);
  });
});

test("a checkout retries conflicting transactions until one succeeds", async () => {
  const trial = await aTrial();
  let left = 5;
  const { reply, calls } = await checkOut(trial, (call) =>
    isTransaction(call) && left-- > 0 ? "conflict" : undefined,
  );
  expect(reply.status).toBe(201);
  expect(calls.filter(isTransaction)).toHaveLength(6);
  expect(await trial.trace()).toEqual(placed(reply.body.data.order.id));
});

describe("adding to a cart with a storage fault", () => {
  const script =
    (fault: Fault): FaultScript =>
    ({ operation, attempt }) =>
      operation === "PutItem" && attempt === 1 ? fault : undefined;

  async function inCart(client: Client, token: string): Promise<number> {
    const { body } = await client.get<{ data: Cart }>("/cart", { "x-cart-token": token });
    return body.data.items.reduce((sum, item) => sum + item.quantity, 0);
  }

  test.each(faults)('of kind "%s" adds the quantity exactly once', async (fault) => {
    const { sku } = await plantProduct(table, { units: 50 });
    const client = clientOf(service.baseUrl);
    const items = [{ sku, quantity }];
    const { result: made } = await service.proxy.disturb(script(fault), () =>
      client.post("/cart", { items }),
    );
    const token = made.headers.get("x-cart-token") ?? "";
    expect([made.status, await inCart(client, token)]).toEqual([201, quantity]);
    const { result: added } = await service.proxy.disturb(script(fault), () =>
      client.patch("/cart/items", { items }, { "x-cart-token": token }),
    );
    expect([added.status, await inCart(client, token)]).toEqual([200, 2 * quantity]);
  });
});
