import { describe, expect, onTestFinished, test } from "vitest";
import type { Cart } from "#shared/domain/cart/cart.ts";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import { PublishedProducts } from "#shared/storage/catalog/catalog.ts";
import { remove } from "#shared/storage/writes.ts";
import {
  ageByADay,
  expiryOf,
  plantCoupon,
  plantProduct,
  plantSofa,
} from "#test/support/shop/plant.ts";
import { clientOf } from "#test/support/http/client.ts";
import { type Member, aMember, logIn } from "#test/support/people/members.ts";
import { type Data, aShopper } from "#test/support/shop/shopping.ts";
import { uploadedPicture } from "#test/support/shop/uploads.ts";
import { transactionsTogether } from "#test/support/emulators/dynamodb-proxy.ts";
import { startProxiedService } from "#test/support/stack/table.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table } = await useShop({ effects: ["media"] });

const put = (member: Member, items: object[], coupon?: string) =>
  member.client.post<Data<Cart>>("/cart", { items, ...(coupon && { coupon }) }, member.headers);
const cartOf = async ({ client, headers }: Member) =>
  (await client.get<Data<Cart>>("/cart", headers)).body.data;
const quantities = ({ items }: Cart) =>
  Object.fromEntries(items.map(({ sku, slug, quantity }) => [sku ?? slug, quantity]));

const nothing = { added: 0, combined: 0, dropped: [] };

describe("a guest's cart", () => {
  test("becomes the customer's cart at registration, keeps its coupon, and can no longer be read with the guest's token", async () => {
    const [one, two] = [await plantProduct(table), await plantProduct(table)];
    const { code } = await plantCoupon(table);
    const items = [
      { sku: one.sku, quantity: 2 },
      { sku: two.sku, quantity: 1 },
    ];
    const guest = await aShopper(baseUrl, items, code);
    const member = await aMember(baseUrl, {}, guest.headers);
    expect(member.answer.merge).toEqual({ added: 2, combined: 0, dropped: [] });
    const cart = await cartOf(member);
    expect(quantities(cart)).toEqual({ [one.sku]: 2, [two.sku]: 1 });
    expect(cart.coupon?.code).toBe(code);
    expect((await guest.read()).items).toEqual([]);
    const next = await guest.client.post<Data<Cart>>("/cart", { items }, guest.headers);
    expect(next.body.data.token).not.toBe(guest.token);
  });

  test("is merged into the customer's cart at login: equal lines are combined, other lines are added", async () => {
    const [one, two] = [await plantProduct(table), await plantProduct(table)];
    const { sofa } = await plantSofa(table);
    const seat = { sofa: sofa.slug, configuration: { size: "two-seater" }, quantity: 1 };
    const member = await aMember(baseUrl);
    await put(member, [{ sku: one.sku, quantity: 2 }, seat]);
    const guest = await aShopper(baseUrl, [
      { sku: one.sku, quantity: 3 },
      { sku: two.sku, quantity: 1 },
      { ...seat, configuration: {} },
    ]);
    const { body } = await logIn(baseUrl, member.email, undefined, guest.headers);
    expect(body.data.merge).toEqual({ added: 1, combined: 2, dropped: [] });
    const cart = await cartOf(member);
    expect(quantities(cart)).toEqual({ [one.sku]: 5, [two.sku]: 1, [sofa.slug]: 2 });
    expect(new Set(cart.items.map(({ id }) => id)).size).toBe(3);
  });

  test("extends the expiry of the uploaded pictures of both carts when it is merged", async () => {
    const { sofa } = await plantSofa(table);
    const uploads = await Promise.all([1, 2].map(() => uploadedPicture(clientOf(baseUrl))));
    const [own, guests] = uploads.map((id) => ({ sofa: sofa.slug, quantity: 1, upload_ids: [id] }));
    const member = await aMember(baseUrl);
    await put(member, [own!]);
    const guest = await aShopper(baseUrl, [guests!]);
    const expires = () => Promise.all(uploads.map((id) => expiryOf(table, id)));
    const before = await expires();
    await ageByADay(table, { kind: "guest", tokenHash: hashOf(guest.token) });
    await ageByADay(table, { kind: "customer", id: member.id });
    await logIn(baseUrl, member.email, undefined, guest.headers);
    for (const [index, expire] of (await expires()).entries()) {
      expect(expire).toBeGreaterThan(before[index] ?? NaN);
    }
  });

  test("is merged only once by concurrent logins", async () => {
    const [one, two] = [await plantProduct(table), await plantProduct(table)];
    const member = await aMember(baseUrl);
    await put(member, [{ sku: one.sku, quantity: 1 }]);
    const guest = await aShopper(baseUrl, [
      { sku: one.sku, quantity: 2 },
      { sku: two.sku, quantity: 4 },
    ]);
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => logIn(baseUrl, member.email, undefined, guest.headers)),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const merges = replies.map(({ body }) => body.data.merge);
    expect(merges.filter((merge) => merge?.added === 1 && merge.combined === 1)).toHaveLength(1);
    expect(merges.filter((merge) => merge?.added === 0)).toEqual([nothing, nothing, nothing]);
    expect(quantities(await cartOf(member))).toEqual({ [one.sku]: 3, [two.sku]: 4 });
  });

  test("is merged for only one of two customers who sign in with it concurrently", async () => {
    const { sku } = await plantProduct(table);
    const members = await Promise.all([aMember(baseUrl), aMember(baseUrl)]);
    const guest = await aShopper(baseUrl, [{ sku, quantity: 2 }]);
    const service = await startProxiedService(environment);
    onTestFinished(service.stop);
    const { result: logins } = await service.proxy.disturb(transactionsTogether(2), () =>
      Promise.all(
        members.map(({ email }) => logIn(service.baseUrl, email, undefined, guest.headers)),
      ),
    );
    const added = new Set(logins.map(({ body }) => body.data.merge?.added));
    expect([added.has(0), added.has(1)]).toEqual([true, true]);
    const carts = await Promise.all(members.map(cartOf));
    expect(carts.map(({ item_count }) => item_count).toSorted((a, b) => a - b)).toEqual([0, 2]);
  });

  test("is merged without unavailable lines and units above the limit, and the response reports what was dropped", async () => {
    const [gone, many] = [await plantProduct(table), await plantProduct(table, { units: 200 })];
    const member = await aMember(baseUrl);
    await put(member, [{ sku: many.sku, quantity: 60 }]);
    const guest = await aShopper(baseUrl, [
      { sku: gone.sku, quantity: 2 },
      { sku: many.sku, quantity: 50 },
    ]);
    await table.write(remove(PublishedProducts, { slug: gone.product.slug }));
    const { body } = await logIn(baseUrl, member.email, undefined, guest.headers);
    expect(body.data.merge).toMatchObject({
      added: 0,
      combined: 1,
      dropped: [
        { reason: "unavailable", sku: gone.sku, quantity: 2 },
        { reason: "quantity_limit", name: many.product.name, sku: many.sku, quantity: 11 },
      ],
    });
    expect(quantities(await cartOf(member))).toEqual({ [many.sku]: 99 });
  });

  test("does not prevent the login if its token is unknown or an order was placed from it", async () => {
    const { sku } = await plantProduct(table);
    const member = await aMember(baseUrl);
    await put(member, [{ sku, quantity: 1 }]);
    const guest = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    expect((await guest.checkOut()).status).toBe(201);
    for (const headers of [guest.headers, { "x-cart-token": "nobody's" }]) {
      const { status, body } = await logIn(baseUrl, member.email, undefined, headers);
      expect([status, body.data.merge]).toEqual([200, nothing]);
    }
    expect(quantities(await cartOf(member))).toEqual({ [sku]: 1 });
  });

  test("remains the guest's cart if the login or registration fails", async () => {
    const { sku } = await plantProduct(table);
    const member = await aMember(baseUrl);
    const guest = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    expect((await logIn(baseUrl, member.email, "wrong", guest.headers)).status).toBe(422);
    const body = { name: "Asha", email: member.email, password: "a long enough password" };
    const taken = await clientOf(baseUrl).post("/auth/register", body, guest.headers);
    expect(taken.status).toBe(422);
    expect((await guest.read()).item_count).toBe(1);
  });
});
