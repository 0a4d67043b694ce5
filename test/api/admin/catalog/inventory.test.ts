import { describe, expect, test } from "vitest";
import type { Product } from "#shared/domain/catalog/product.ts";
import { InventoryRow } from "#shared/domain/listing/admin-rows.ts";
import { openActivityLog } from "#shared/storage/staff/activity.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { update } from "#shared/storage/writes.ts";
import { type Data, aProductBody, soonListed } from "#test/support/back-office/catalog.ts";
import { aKey } from "#test/support/back-office/orders.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { world, staffAs } = await useShop({ effects: ["staff-index"] });

const staff = await staffAs("catalog_editor");

interface List {
  data: InventoryRow[];
  meta: { total: number; last_page: number };
}

/** Creates a product, and sets how many units of its SKU are in stock and how many of them are reserved. */
async function aSku(on_hand = 0, reserved = 0) {
  const { body } = await staff.post<Data<Product>>("/admin/products", aProductBody());
  const { sku = "", id = "" } = body.data.variants[0] ?? {};
  const set = { on_hand, reserved, available: on_hand - reserved };
  await world.table.write(update(Stocks, { id }, { set }));
  return { sku, id, product: body.data, path: `/admin/inventory/${sku}` };
}

const reason = "Counted";

test("a stock count and an adjustment change the stock and are recorded in the activity log", async () => {
  const { path, product, sku } = await aSku();
  const counted = await staff.patch<Data<InventoryRow>>(path, { set: 8, reason });
  expect([counted.status, counted.body.data]).toMatchObject([
    200,
    { sku, on_hand: 8, reserved: 0, available: 8, product: { id: product.id, slug: product.slug } },
  ]);
  const taken = await staff.patch<Data<InventoryRow>>(
    path,
    { adjust: -3, reason: "Broken" },
    aKey(),
  );
  expect(taken.body.data).toMatchObject({ on_hand: 5, available: 5 });
  const { records } = await openActivityLog(world.table).list(
    { target: { kind: "stock", id: sku } },
    { limit: 10 },
  );
  expect(records.map(({ changes }) => changes)).toEqual([
    [
      { path: "on_hand", from: 8, to: 5 },
      { path: "available", from: 8, to: 5 },
      { path: "reason", from: null, to: "Broken" },
    ],
    [
      { path: "on_hand", from: 0, to: 8 },
      { path: "available", from: 0, to: 8 },
      { path: "reason", from: null, to: reason },
    ],
  ]);
});

test("a stock count below the units reserved by orders is refused", async () => {
  const { path } = await aSku(5, 3);
  for (const count of [{ set: 2 }, { adjust: -3 }, { adjust: -6 }]) {
    const reply = await staff.patch<Problem>(path, { ...count, reason }, aKey());
    expect([reply.status, reply.body.code, reply.body.details]).toEqual([
      409,
      "insufficient_stock",
      { on_hand: 5, reserved: 3 },
    ]);
  }
  expect((await staff.patch(path, { set: 3, reason })).status).toBe(200);
});

test("concurrent stock changes are all applied", async () => {
  const { path, id } = await aSku();
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => staff.patch(path, { adjust: 2, reason }, aKey())),
  );
  expect(replies.every(({ status }) => status === 200)).toBe(true);
  expect(await world.table.get(Stocks, { id })).toMatchObject({ on_hand: 20, available: 20 });
});

describe("an adjustment", () => {
  const change = (path: string, body: object, headers?: Record<string, string>) =>
    staff.patch<Data<InventoryRow> & Problem>(path, { reason, ...body }, headers);

  test("without an Idempotency-Key is refused and changes nothing; a count needs none", async () => {
    const { path, id } = await aSku(5);
    for (const adjust of [3, -3, 0]) {
      const { status, body } = await change(path, { adjust });
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["Idempotency-Key"]]);
    }
    expect(await world.table.get(Stocks, { id })).toMatchObject({ on_hand: 5, version: 1 });
    expect((await change(path, { set: 6 })).status).toBe(200);
  });

  test.each<[string, object]>([
    ["adjustment", { adjust: 3 }],
    ["removal", { adjust: -2 }],
    ["count", { set: 4 }],
    ["count that changes nothing", { set: 5 }],
  ])(
    "is applied once per key, as a %s: a repeat returns the first response, whatever has changed since",
    async (_what, body) => {
      const { path, id } = await aSku(5);
      const headers = { ...aKey(), "if-match": '"v1"' };
      const first = await change(path, body, headers);
      expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([200, null]);
      await change(path, { adjust: 7 }, aKey());
      const left = await world.table.get(Stocks, { id });
      const again = await change(path, body, headers);
      expect([again.status, again.body, again.headers.get("etag")]).toEqual([
        200,
        first.body,
        first.headers.get("etag"),
      ]);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect(await world.table.get(Stocks, { id })).toEqual(left);

      const other = await change(path, { adjust: 1 }, headers);
      expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
    },
  );

  test("is applied once if identical requests are concurrent, and separately to each SKU", async () => {
    const [one, other] = [await aSku(), await aSku()];
    const key = aKey();
    const replies = await Promise.all(
      [one, one, one, other].map(({ path }) => change(path, { adjust: 4 }, key)),
    );
    expect(replies.map(({ status, body }) => [status, body.data.on_hand])).toEqual(
      replies.map(() => [200, 4]),
    );
    for (const { id } of [one, other]) {
      expect(await world.table.get(Stocks, { id })).toMatchObject({ on_hand: 4 });
    }
  });

  test("that was refused does not use up its key, and a repeat is answered after the SKU was renamed", async () => {
    const { path, product } = await aSku(1);
    const headers = aKey();
    expect((await change(path, { adjust: -2 }, headers)).status).toBe(409);
    await change(path, { adjust: 1 }, aKey());
    const first = await change(path, { adjust: -2 }, headers);
    expect([first.status, first.body.data.on_hand]).toEqual([200, 0]);
    const variants = product.variants.map((variant) => ({ ...variant, sku: `${variant.sku}-NEW` }));
    const renamed = await staff.patch(`/admin/products/${product.id}`, { variants });
    expect(renamed.status).toBe(200);
    expect((await change(path, { adjust: -2 }, headers)).body).toEqual(first.body);
    expect((await change(path, { adjust: -2 }, aKey())).status).toBe(404);
  });
});

const oneCount = ["Send exactly one of set and adjust."];
const bothPaths = { set: oneCount, adjust: oneCount };

test.each<[object, Record<string, string[]>]>([
  [{ set: 1, adjust: 1, reason }, bothPaths],
  [{ reason }, bothPaths],
  [{}, { ...bothPaths, reason: ["The reason field is required."] }],
  [{ set: 1 }, { reason: ["The reason field is required."] }],
  [{ set: -1, reason }, { set: ["The set field must be at least 0."] }],
  [{ adjust: 0.5, reason }, { adjust: ["The adjust field must be an integer."] }],
])(
  "a stock change with %j is refused, and the errors name the invalid members",
  async (body, errors) => {
    const { path, id } = await aSku(5);
    const reply = await staff.patch<Problem>(path, body);
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    expect(await world.table.get(Stocks, { id })).toMatchObject({ on_hand: 5 });
  },
);

describe("the inventory list", () => {
  test("shows the current stock and finds a SKU by code or product name", async () => {
    const { sku, path, product } = await aSku();
    for (const q of [sku, product.name]) {
      await soonListed<List>(
        "staff-index",
        staff,
        `/admin/inventory?q=${encodeURIComponent(q)}`,
        ({ body }) => expect(body.data[0]?.sku).toBe(sku),
      );
    }
    await staff.patch(path, { set: 12, reason });
    const { body } = await staff.get<List>(`/admin/inventory?q=${sku}`);
    expect(body.data[0]).toMatchObject({ sku, on_hand: 12, available: 12 });
  });

  test("filtered by low stock contains a SKU until enough units arrive", async () => {
    const { sku, path } = await aSku();
    const low = `/admin/inventory?low=1&q=${sku}`;
    await soonListed<List>("staff-index", staff, low, ({ body }) =>
      expect(body.data[0]?.sku).toBe(sku),
    );
    await staff.patch(path, { set: 50, reason });
    await soonListed<List>("staff-index", staff, low, ({ body }) =>
      expect(body.data.map((row) => row.sku)).not.toContain(sku),
    );
  });

  test("contains the demo shop's SKUs in pages, and refuses an unknown sort", async () => {
    const { body } = await staff.get<List>("/admin/inventory?per_page=100");
    expect(body.data).toHaveLength(100);
    for (const row of body.data) expect(InventoryRow.parse(row)).toEqual(row);
    expect(body.meta.total).toBeGreaterThan(200);
    const last = await staff.get<List>(`/admin/inventory?per_page=100&page=${body.meta.last_page}`);
    expect(last.status).toBe(200);
    expect((await staff.get("/admin/inventory?sort=name")).status).toBe(422);
  });
});
