import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { CouponTrial } from "#shared/domain/pricing/coupon.ts";
import type { AdminCoupon } from "#shared/domain/pricing/admin-coupon.ts";
import { anId } from "#test/support/shop/commerce.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, aShopper } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world, staffAs } = await useShop();

const manager = await staffAs("manager");

type One = Data<AdminCoupon> & Problem;
type Page = { data: AdminCoupon[]; meta: { next_cursor: string | null } };

const aCode = () => `D${randomUUID().slice(0, 13).toUpperCase()}`;
const aBody = (overrides: Record<string, unknown> = {}) => ({
  code: aCode(),
  benefit: { kind: "percent", bps: 1_000 },
  ...overrides,
});
const pathOf = ({ id }: { id: string }) => `/admin/coupons/${id}`;
const read = async (coupon: { id: string }) => (await manager.get<One>(pathOf(coupon))).body.data;

async function created(overrides: Record<string, unknown> = {}): Promise<AdminCoupon> {
  const reply = await manager.post<One>("/admin/coupons", aBody(overrides));
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return reply.body.data;
}

/** A customer with one unit in the cart. */
async function aBuyer() {
  const { sku } = await plantProduct(world.table);
  return aShopper(baseUrl, [{ sku, quantity: 1 }]);
}

async function used(coupon: AdminCoupon): Promise<void> {
  const reply = await (await aBuyer()).checkOut({ coupon: coupon.code });
  expect([reply.status, reply.body.data?.order.coupon_code]).toEqual([201, coupon.code]);
}

describe("a coupon", () => {
  test("can be created with default values, read at its Location, listed and deleted", async () => {
    const code = aCode();
    const reply = await manager.post<One>("/admin/coupons", aBody({ code: code.toLowerCase() }));
    const { data } = reply.body;
    expect(reply.headers.get("location")).toBe(`/api/v1${pathOf(data)}`);
    expect(data).toMatchObject({
      code,
      description: null,
      active: true,
      state: "active",
      benefit: { kind: "percent", bps: 1_000, cap: null },
      max_uses: null,
      uses: null,
      used: false,
      applies_to: { categories: [], product_ids: [] },
      version: 1,
    });
    const one = await manager.get<One>(pathOf(data));
    expect([one.body, one.headers.get("etag")]).toEqual([{ data }, '"v1"']);
    const list = await manager.get<Page>(`/admin/coupons?q=${code.toLowerCase()}`);
    expect(list.body.data).toEqual([data]);

    expect((await manager.delete(pathOf(data))).status).toBe(204);
    expect((await manager.get(pathOf(data))).status).toBe(404);
    expect((await manager.delete(pathOf(data))).status).toBe(404);
    expect((await manager.post("/admin/coupons", aBody({ code }))).status).toBe(201);
  });

  test("is listed sorted by code, in pages, and can be filtered by `active` and by state", async () => {
    const q = aCode();
    const later = "2099-01-01T00:00:00Z";
    const earlier = "2020-01-01T00:00:00Z";
    const made = [
      await created({ code: `${q}-A`, starts_at: later }),
      await created({ code: `${q}-B`, active: false }),
      await created({ code: `${q}-C` }),
      await created({ code: `${q}-D`, ends_at: earlier }),
    ];
    const codes = async (more: string) =>
      (await manager.get<Page>(`/admin/coupons?q=${q}${more}`)).body.data.map(({ code }) => code);
    expect(await codes("")).toEqual(made.map(({ code }) => code));
    expect(await codes("&active=false")).toEqual([`${q}-B`]);
    expect(await codes("&state=scheduled")).toEqual([`${q}-A`]);
    expect(await codes("&state=active")).toEqual([`${q}-C`]);
    expect(await codes("&state=expired")).toEqual([`${q}-D`]);

    const page = await manager.get<Page>(`/admin/coupons?q=${q}&per_page=3`);
    const cursor = `&cursor=${page.body.meta.next_cursor}`;
    expect(page.body.data).toHaveLength(3);
    expect(await codes(cursor)).toEqual([`${q}-D`]);
    const foreign = await manager.get<Problem>(`/admin/coupons?q=${aCode()}${cursor}`);
    expect([foreign.status, Object.keys(foreign.body.errors ?? {})]).toEqual([422, ["cursor"]]);
  });

  test.each<[string, Record<string, unknown>]>([
    ["ends_at", { starts_at: "2026-02-01T00:00:00Z", ends_at: "2026-02-01T00:00:00+00:00" }],
    ["benefit.cap", { benefit: { kind: "fixed", amount: 5_000, cap: 100 } }],
    ["benefit.bps", { benefit: { kind: "percent", bps: 10_001 } }],
    ["applies_to.categories.1", { applies_to: { categories: ["sofas", "no-such-shelf"] } }],
    ["applies_to.product_ids.0", { applies_to: { product_ids: ["prd_none"] } }],
    ["applies_to.product_ids.0", { applies_to: { product_ids: [anId("sofa")] } }],
    ["code", { code: "no/slash" }],
    ["max_uses", { max_uses: 0 }],
    ["uses", { uses: 3 }],
  ])("is refused at the path %s with %j", async (path, wrong) => {
    const reply = await manager.post<Problem>("/admin/coupons", aBody(wrong));
    expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([422, [path]]);
  });

  test("is replaced by PUT and merged by PATCH", async () => {
    const coupon = await created({ description: "Old", max_uses: 5 });
    const patched = await manager.patch<One>(pathOf(coupon), { min_subtotal: 500 });
    expect(patched.body.data).toMatchObject({ description: "Old", max_uses: 5, version: 2 });

    const { code } = coupon;
    const put = await manager.put<One>(pathOf(coupon), aBody({ code }), { "if-match": '"v2"' });
    expect(put.body.data).toMatchObject({ description: null, max_uses: null, version: 3 });
    const backwards = { starts_at: "2026-02-02T00:00:00Z", ends_at: "2026-02-01T00:00:00Z" };
    expect((await manager.patch(pathOf(coupon), backwards)).status).toBe(422);
    expect(await read(coupon)).toEqual(put.body.data);
  });

  test("can change to another unused code, which frees the old code", async () => {
    const [coupon, other] = [await created(), await created()];
    const taken = await manager.patch<Problem>(pathOf(coupon), { code: other.code });
    expect([taken.status, taken.body.code]).toEqual([409, "already_exists"]);
    const code = aCode();
    const moved = await manager.patch<One>(pathOf(coupon), { code });
    expect(await read(coupon)).toEqual({ ...coupon, ...moved.body.data, code });
    await manager.delete(pathOf(coupon));
    expect((await manager.post("/admin/coupons", aBody({ code: coupon.code }))).status).toBe(201);
  });
});

describe("a coupon that an order used", () => {
  test("keeps its code and cannot be deleted, but can be disabled immediately", async () => {
    const coupon = await created();
    await used(coupon);
    expect(await read(coupon)).toMatchObject({ used: true, uses: null, version: 2 });
    for (const refused of [
      await manager.patch<Problem>(pathOf(coupon), { code: aCode() }),
      await manager.delete<Problem>(pathOf(coupon)),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([409, "in_use"]);
      expect(refused.body.details?.["used_by"]).toEqual([
        { kind: "order", id: expect.stringMatching(/^ord_/), label: expect.any(String) },
      ]);
    }
    await used(coupon);
    expect((await read(coupon)).version).toBe(2);
    expect((await manager.patch(pathOf(coupon), { active: false })).status).toBe(200);
    const { client, headers } = await aBuyer();
    const trial = { code: coupon.code };
    const { body } = await client.post<Data<CouponTrial>>("/checkout/coupon", trial, headers);
    expect(body.data).toMatchObject({ valid: false, reason: "not_found" });
  });

  test("counts its uses only while `max_uses` is set, and resumes the earlier count when the limit is set again", async () => {
    const coupon = await created();
    await used(coupon);
    await manager.patch(pathOf(coupon), { max_uses: 2 });
    expect((await read(coupon)).uses).toBe(0);
    await used(coupon);
    expect((await read(coupon)).uses).toBe(1);
    await manager.patch(pathOf(coupon), { max_uses: null });
    await used(coupon);
    expect((await read(coupon)).uses).toBe(null);
    const lowered = await manager.patch<One>(pathOf(coupon), { max_uses: 1 });
    expect(lowered.body.data).toMatchObject({ max_uses: 1, uses: 1 });
    const refused = await (await aBuyer()).checkOut({ coupon: coupon.code });
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ["coupon"]]);
    await manager.patch(pathOf(coupon), { max_uses: 2 });
    await used(coupon);
  });
});

test.each<[string, number, (coupon: AdminCoupon) => Promise<{ status: number }>]>([
  ["its deletion", 204, (coupon) => manager.delete(pathOf(coupon))],
  ["a change of its code", 200, (coupon) => manager.patch(pathOf(coupon), { code: aCode() })],
])(
  "either a coupon's first order or %s succeeds, never both, if they are concurrent",
  async (_name, done, edit) => {
    for (let round = 0; round < 3; round++) {
      const [coupon, buyer] = [await created(), await aBuyer()];
      const [edited, placed] = await Promise.all([
        edit(coupon),
        buyer.checkOut({ coupon: coupon.code }),
      ]);
      expect([
        [409, 201],
        [done, 422],
      ]).toContainEqual([edited.status, placed.status]);
    }
  },
);
