import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Stack } from "#infra/local/stack.ts";
import type { MemoryTable } from "#test/memory-table/memory-table.ts";
import { memoryAt } from "#test/memory-table/addresses.ts";
import { aMember, anAddress, bearer, logIn, statusOfToken } from "#test/support/people/members.ts";
import { signedIn, worldOf } from "#test/support/people/people.ts";
import { clientOf } from "#test/support/http/client.ts";
import { plantProduct, tableOf } from "#test/support/shop/plant.ts";
import { type Data, aShopper } from "#test/support/shop/shopping.ts";
import { plantedInMemory, startGuardedStack } from "#test/support/stack/shop.ts";
import { Staff } from "#shared/storage/staff/staff.ts";
import { update } from "#shared/storage/writes.ts";

// DynamoDB's indexes, and reads without `ConsistentRead`, may show the state before a write. Here they always do.
let stack: Stack;
let memory: MemoryTable;
beforeAll(async () => {
  stack = await startGuardedStack({ shop: "planted", table: await plantedInMemory() });
  memory = memoryAt(stack.environment.DYNAMODB_ENDPOINT)!;
});
afterAll(() => stack?.stop());

const identity = ["customer", "customer_email", "customer_phone", "session", "staff", "role"];

test("logout and an ended session count from the next request on, though reads lag", async () => {
  await memory.lagging(identity, async () => {
    const { client, email, headers } = await aMember(stack.baseUrl);
    const other = bearer((await logIn(stack.baseUrl, email)).body.data.token);
    expect(await statusOfToken(stack.baseUrl, headers)).toBe(200);
    await client.send("POST", "/api/v1/auth/logout", { headers });
    expect(await statusOfToken(stack.baseUrl, headers)).toBe(401);
    expect(await statusOfToken(stack.baseUrl, other)).toBe(200);
  });
});

test("a deactivated staff user is refused from the next request on, though reads lag", async () => {
  await memory.lagging(identity, async () => {
    const world = worldOf(stack.environment);
    const { token, claims } = await signedIn(world, "staff", { role: "owner" });
    const status = async () =>
      (await clientOf(stack.baseUrl).get("/admin/auth/me", bearer(token))).status;
    expect(await status()).toBe(200);
    await world.table.write(update(Staff, { id: claims.subject }, { set: { status: "disabled" } }));
    expect(await status()).toBe(401);
  });
});

test("a cart shows each change at once, and loses none of two, though reads lag", async () => {
  await memory.lagging(["cart", "stock", "published_product"], async () => {
    const { sku } = await plantProduct(tableOf(stack.environment));
    const shopper = await aShopper(stack.baseUrl, [{ sku, quantity: 1 }]);
    const { id } = (await shopper.read()).items[0]!;
    for (const quantity of [2, 3]) {
      await shopper.client.send("PATCH", "/api/v1/cart/items", {
        headers: { ...shopper.headers, "content-type": "application/json" },
        body: JSON.stringify({ items: [{ id, quantity }] }),
      });
      expect((await shopper.read()).items).toMatchObject([{ id, quantity }]);
    }
  });
});

test("a repeated request with an idempotency key has one effect, though reads lag", async () => {
  await memory.lagging(["idempotency", "address_book"], async () => {
    const { client, headers } = await aMember(stack.baseUrl);
    const key = { ...headers, "idempotency-key": randomUUID() };
    const add = () => client.post<Data<{ id: string }>>("/addresses", anAddress, key);
    const [first, second] = [await add(), await add()];
    expect([first.status, second.body]).toEqual([201, first.body]);
    const listed = await client.get<Data<unknown[]>>("/addresses", headers);
    expect(listed.body.data).toHaveLength(1);
  });
});
