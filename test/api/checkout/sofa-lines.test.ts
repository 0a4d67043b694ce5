import { describe, expect, test } from "vitest";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import type { TrackedOrder } from "#shared/domain/order/view/buyer-order.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import {
  Cards,
  PublishedMaterials,
  PublishedSofas,
  Stocks,
} from "#shared/storage/catalog/catalog.ts";
import { Carts } from "#shared/storage/cart/carts.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { put, update } from "#shared/storage/writes.ts";
import { aCard, aValue } from "#test/support/shop/builders.ts";
import { claimSku } from "#shared/storage/catalog/sku-claims.ts";
import { aStockRow } from "#test/support/shop/commerce.ts";
import { ageByADay, plantSofa } from "#test/support/shop/plant.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aPerson, aShopper, type Data } from "#test/support/shop/shopping.ts";
import { whenShown, waitFor } from "#test/support/stack/wait-until.ts";
import { uploadedPicture } from "#test/support/shop/uploads.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table, inbox } = await useShop({
  effects: ["mail", "media", "media-uses"],
});

test("a sofa is added as a line with its complete configuration, at the price of the sofa configurator", async () => {
  const { sofa, material } = await plantSofa(table);
  const configuration = { size: "three-seater" };
  const priced = priceSofa(sofa, new Map([[material.code, material]]), configuration);
  const { cart } = await aShopper(baseUrl, [
    { sofa: sofa.slug, configuration, quantity: 2, note: "Piping in blue" },
  ]);
  expect(cart.items).toMatchObject([
    {
      kind: "sofa",
      sofa_id: sofa.id,
      product_id: null,
      sku: null,
      slug: sofa.slug,
      name: sofa.name,
      quantity: 2,
      note: "Piping in blue",
      availability: "made_to_order",
      lead_time: priced.lead_time,
      configuration: { size: "three-seater", upholstery: material.code, legs: "oak" },
      configuration_id: priced.configuration_id,
    },
  ]);
  // The base price, the price of the larger size, and 10.65 m of the material.
  const price = 6_500_000 + 1_200_000 + (material.price_per_meter * 1065) / 100;
  expect(cart.items[0]?.unit_price).toBe(price);
});

test("a sofa can be added by its id", async () => {
  const { sofa } = await plantSofa(table);
  await table.write(put(Cards, aCard({ id: sofa.id, kind: "sofa", slug: sofa.slug })));
  const { cart } = await aShopper(baseUrl, [{ sofa: sofa.id, configuration: {}, quantity: 1 }]);
  expect(cart.items[0]?.slug).toBe(sofa.slug);
});

test("equal configurations of a sofa are one cart line, whatever the order of their options; a different note or option makes another line", async () => {
  const { sofa } = await plantSofa(table);
  const line = { sofa: sofa.slug, quantity: 1 };
  const { cart } = await aShopper(baseUrl, [
    { ...line, configuration: { size: "two-seater", legs: "oak" } },
    { ...line, configuration: {} },
    { ...line, configuration: { legs: "brass" } },
    { ...line, configuration: {}, note: "For the porch" },
  ]);
  expect(cart.items.map(({ quantity }) => quantity)).toEqual([2, 1, 1]);
});

test("a cart line with an invalid sofa configuration returns 422 at the option's path", async () => {
  const { sofa } = await plantSofa(table);
  const client = clientOf(baseUrl);
  const refusalOf = async (configuration: object) => {
    const items = [{ sofa: sofa.slug, configuration, quantity: 1 }];
    const { status, body } = await client.post<Problem>("/cart", { items });
    return [status, ...Object.keys(body.errors ?? {})];
  };
  expect(await refusalOf({ legs: "gold" })).toEqual([422, "items.0.configuration.legs"]);
  expect(await refusalOf({ wings: "two" })).toEqual([422, "items.0.configuration.wings"]);
  expect(await refusalOf({ size: "corner" })).toEqual([422, "items.0.configuration.orientation"]);
});

test("a cart line with an unknown sofa returns 422", async () => {
  const { sofa } = await plantSofa(table);
  const items = [
    { sofa: "no-such-sofa", configuration: {}, quantity: 1 },
    { sofa: sofa.slug, quantity: 1 },
    { sofa: "sofa_01JD0000000000000000000009", quantity: 1 },
  ];
  const { body } = await clientOf(baseUrl).post<Problem>("/cart", { items });
  expect(Object.keys(body.errors ?? {})).toEqual(["items.0.sofa", "items.2.sofa"]);
});

test("a sofa line accepts an uploaded picture that is ready and refuses an unknown one", async () => {
  const { sofa } = await plantSofa(table);
  const client = clientOf(baseUrl);
  const upload = await uploadedPicture(client);
  const line = { sofa: sofa.slug, quantity: 1, upload_ids: [upload] };
  const { cart, headers } = await aShopper(baseUrl, [line]);
  expect(cart.items[0]?.upload_ids).toEqual([upload]);
  const unknown = { ...line, upload_ids: ["upl_01JD0000000000000000000001"] };
  const { status, body } = await client.patch<Problem>(
    "/cart/items",
    { items: [line, unknown] },
    headers,
  );
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["items.1.upload_ids.0"]]);
});

describe("an uploaded picture in a cart", () => {
  const expiryOf = async (upload: string) => {
    const path = `/media/fabric/${upload}`;
    const { body } = await clientOf(baseUrl).get<Data<{ expires_at: string | null }>>(path);
    return body.data.expires_at;
  };
  async function aPictured() {
    const { sofa } = await plantSofa(table);
    const upload = await uploadedPicture(clientOf(baseUrl));
    const line = { sofa: sofa.slug, quantity: 1, upload_ids: [upload] };
    const shopper = await aShopper(baseUrl, [line]);
    return { line, upload, shopper };
  }

  test("expires one cart lifetime after the cart expires", async () => {
    const { upload, shopper } = await aPictured();
    const { cart_lifetime_days } = defaultSettings.checkout;
    expect(Date.parse((await expiryOf(upload)) ?? "")).toBe(
      Date.parse(shopper.cart.expires_at ?? "") + cart_lifetime_days * 86_400_000,
    );
  });

  test("expires later if the cart is written on a later day", async () => {
    const { upload, shopper } = await aPictured();
    await ageByADay(table, { kind: "guest", tokenHash: hashOf(shopper.token) });
    const before = await expiryOf(upload);
    const items = [{ id: shopper.cart.items[0]?.id, quantity: 2 }];
    await shopper.client.patch("/cart/items", { items }, shopper.headers);
    expect(Date.parse((await expiryOf(upload)) ?? "")).toBeGreaterThan(Date.parse(before ?? ""));
  });

  test("never expires once it is part of an order", async () => {
    const { line, upload, shopper } = await aPictured();
    const ordered = await shopper.checkOut({ payment_method: "bank_transfer" });
    expect([ordered.status, ordered.text]).toEqual([201, expect.any(String)]);
    await waitFor("media-uses", async () => expect(await expiryOf(upload)).toBeNull());
    // Adding the picture to another cart does not make it expire again.
    await aShopper(baseUrl, [line]);
    expect(await expiryOf(upload)).toBeNull();
  });
});

test("the configuration of a sofa line can be changed", async () => {
  const { sofa } = await plantSofa(table);
  const { client, headers, cart } = await aShopper(baseUrl, [{ sofa: sofa.slug, quantity: 1 }]);
  const items = [{ id: cart.items[0]?.id, quantity: 1, configuration: { legs: "brass" } }];
  const { body } = await client.patch<Data<Cart>>("/cart/items", { items }, headers);
  expect(body.data.items).toMatchObject([
    {
      id: cart.items[0]?.id,
      configuration: { legs: "brass" },
      unit_price: (cart.items[0]?.unit_price ?? 0) + 180_000,
    },
  ]);
});

test("a changed sofa model changes the line's price, and checkout returns 409 if the configuration is no longer valid", async () => {
  const { sofa, material } = await plantSofa(table);
  const { read, checkOut, cart } = await aShopper(baseUrl, [{ sofa: sofa.slug, quantity: 1 }]);
  const was = cart.items[0]!.unit_price;

  await table.write(put(PublishedSofas, { ...sofa, base_price: 7_000_000, model_version: 2 }));
  const price_changed = { from: was, to: was + 500_000 };
  await whenShown(async () => expect(await read()).toMatchObject({ items: [{ price_changed }] }));

  await table.write(put(PublishedMaterials, { ...material, availability: "out_of_stock" }));
  const requirements = [{ code: "configuration_invalid", item_id: cart.items[0]?.id }];
  await whenShown(async () => expect(await read()).toMatchObject({ requirements }));
  expect(await checkOut()).toMatchObject({
    status: 409,
    body: { code: "cart_changed", details: { requirements } },
  });
});

test("if a sofa model gets a new option with a default material, the line's configuration gets that option with the default material", async () => {
  const [{ sofa }, { material: piping }] = [await plantSofa(table), await plantSofa(table)];
  const { read, cart, client, headers } = await aShopper(baseUrl, [
    { sofa: sofa.slug, quantity: 1 },
  ]);
  const upholstery = sofa.option_groups.find(({ code }) => code === "upholstery");
  const option = {
    ...upholstery!,
    code: "piping",
    label: "Piping",
    values: [aValue(piping.code, { label: null })],
    default: piping.code,
  };
  const option_groups = [...sofa.option_groups, option];
  await table.write(put(PublishedSofas, { ...sofa, option_groups, model_version: 2 }));
  const configuration = { piping: piping.code };
  await whenShown(async () =>
    expect(await read()).toMatchObject({ requirements: [], items: [{ configuration }] }),
  );
  const items = [{ id: cart.items[0]?.id, quantity: 2 }];
  const written = await client.patch<Data<Cart>>("/cart/items", { items }, headers);
  expect(written.body.data).toMatchObject({ item_count: 2, requirements: [] });
  const owner = { kind: "guest", tokenHash: hashOf(headers["x-cart-token"]) } as const;
  const stored = await table.get(Carts, { owner });
  expect(stored?.lines[0]).toMatchObject({
    material_codes: expect.arrayContaining([piping.code]),
  });
});

test("a cart line refers to its sofa under the new slug, even if another sofa has the old slug", async () => {
  const { sofa } = await plantSofa(table);
  const items = [{ sofa: sofa.slug, quantity: 1 }];
  const { read, cart, client, headers } = await aShopper(baseUrl, items);
  const { checkOut } = await aShopper(baseUrl, items);
  const slug = `${sofa.slug}-moved`;
  await table.transact([
    put(PublishedSofas, { ...sofa, slug }),
    put(PublishedSofas, { ...sofa, id: newId("sofa", new Date()) }),
    put(Cards, aCard({ id: sofa.id, kind: "sofa", slug })),
  ]);
  await whenShown(async () => {
    const found = await read();
    expect(found.requirements).toEqual([]);
    expect(found.items).toEqual([{ ...cart.items[0], slug }]);
  });
  const brass = [{ id: cart.items[0]?.id, quantity: 1, configuration: { legs: "brass" } }];
  const { body } = await client.patch<Data<Cart>>("/cart/items", { items: brass }, headers);
  expect(body.data.items).toMatchObject([{ sofa_id: sofa.id, configuration: { legs: "brass" } }]);
  const placed = await checkOut();
  expect(placed.status, placed.text).toBe(201);
  expect(placed.body.data.order.items).toMatchObject([{ sofa_id: sofa.id }]);
});

test("checkout refuses cash on delivery for made-to-order lines", async () => {
  const { sofa } = await plantSofa(table);
  const { checkOut } = await aShopper(baseUrl, [{ sofa: sofa.slug, quantity: 1 }]);
  const refused = await checkOut({ payment_method: "cod" });
  expect(refused.status).toBe(422);
  expect(refused.body.errors).toEqual({
    payment_method: [`${sofa.name} is made to order and cannot be paid on delivery.`],
  });
});

test("an order contains the sofa's configuration", async () => {
  const { sofa } = await plantSofa(table);
  const { checkOut, cart } = await aShopper(baseUrl, [{ sofa: sofa.slug, quantity: 1 }]);
  const { status, body } = await checkOut();
  expect(status).toBe(201);
  const [item] = body.data.order.items;
  expect(item).toMatchObject({
    configuration: cart.items[0]?.configuration,
    configuration_id: cart.items[0]?.configuration_id,
    made_to_order: true,
  });
  const parts = item?.price_lines.reduce((sum, { amount }) => sum + amount, 0);
  expect(parts).toBe(item?.unit_price);
});

test("the picture of a sofa's configuration is on its lines in cart, order, tracking and mail", async () => {
  const { sofa } = await plantSofa(table);
  const folder = "uploads/med_01JD0000000000000000000001";
  const media = {
    url: `media://${folder}/original-1200x900-d9cbb2.webp`,
    alt: "With brass legs",
    width: 1_200,
    height: 900,
  };
  const option_groups = sofa.option_groups.map((group) => ({
    ...group,
    values: group.values.map((value) => (value.code === "brass" ? { ...value, media } : value)),
  }));
  await table.write(put(PublishedSofas, { ...sofa, option_groups }));
  const { checkOut, cart } = await aShopper(baseUrl, [
    { sofa: sofa.slug, configuration: { legs: "brass" }, quantity: 1 },
    { sofa: sofa.slug, configuration: { legs: "oak" }, quantity: 1 },
  ]);
  const shown = [media.alt, sofa.media[0]?.alt];
  expect(cart.items.map(({ image }) => image?.alt)).toEqual(shown);
  const { email, phone } = aPerson();
  const { order } = (await checkOut({ email, phone })).body.data;
  expect(order.items.map(({ image }) => image?.alt)).toEqual(shown);
  const tracked = await clientOf(baseUrl).get<Data<TrackedOrder>>(`/orders/track/${order.number}`);
  expect(tracked.body.data.items.map(({ image }) => image?.alt)).toEqual(shown);
  const { html } = (await inbox.waitFor(email)).body;
  const small = cart.items[0]?.image?.url.replace(/original[^/]*$/, "320.webp");
  expect(small).toMatch(new RegExp(`^http.*/${folder}/320.webp$`));
  expect(html).toContain(`<img src="${small}"`);
});

describe("the choices of a configured sofa", () => {
  const { email, phone } = aPerson();
  const track = async (number: string) => {
    const path = `/orders/track/${number}`;
    return (await clientOf(baseUrl).get<Data<TrackedOrder>>(path)).body.data;
  };

  test("are shown as text in cart, order, mail and tracking, and do not change with the sofa model", async () => {
    const { sofa, material } = await plantSofa(table);
    const configuration = { size: "three-seater", extras: ["piping", "storage"], cushions: 2 };
    const { checkOut, cart } = await aShopper(baseUrl, [
      { sofa: sofa.slug, configuration, quantity: 1 },
    ]);
    const choices = [
      { option: "size", label: "size", value: "three-seater" },
      { option: "upholstery", label: "upholstery", value: `${material.name}, Oat` },
      { option: "legs", label: "legs", value: "oak" },
      { option: "extras", label: "extras", value: "storage, piping" },
      { option: "cushions", label: "cushions", value: "2 × cushion" },
    ];
    expect(cart.items[0]?.choices).toEqual(choices);
    const { order } = (await checkOut({ email, phone })).body.data;
    expect(order.items[0]?.choices).toEqual(choices);

    const option_groups = sofa.option_groups.map((group) => ({ ...group, label: "Other" }));
    await table.transact([
      put(PublishedSofas, { ...sofa, option_groups, model_version: 2 }),
      put(PublishedMaterials, { ...material, name: "Other" }),
    ]);
    expect((await track(order.number)).items[0]?.choices).toEqual(choices);
    const { text, html } = (await inbox.waitFor(email)).body;
    for (const { label, value } of choices) {
      expect(text).toContain(`\n    ${label}: ${value}\n`);
      expect(html).toContain(`<th scope="row">${label}</th><td>${value}</td>`);
    }
  });

  test("are an empty list in an order that was stored without them", async () => {
    const { sofa } = await plantSofa(table);
    const { checkOut } = await aShopper(baseUrl, [{ sofa: sofa.slug, quantity: 1 }]);
    const { order } = (await checkOut()).body.data;
    const items = order.items.map(({ choices: _choices, ...item }) => item);
    await table.write(update(Orders, { id: order.id }, { set: { items } }));
    expect((await track(order.number)).items[0]).toMatchObject({ name: sofa.name, choices: [] });
  });
});

test("cart, order and tracking contain the picture and link of a swatch", async () => {
  const { material } = await plantSofa(table);
  const sku = `SWT-${material.code.toUpperCase()}`;
  const swatch = { ...material.swatch, sku, price: 9_900 };
  const owner = { kind: "swatch", id: material.id, slug: material.code } as const;
  await table.transact([
    put(PublishedMaterials, { ...material, swatch }),
    put(Stocks, aStockRow({ id: material.code, owner })),
    claimSku(sku, material.code, owner),
  ]);
  const shown = {
    kind: "swatch",
    slug: null,
    material_code: material.code,
    choices: [],
    name: `${material.name}, sample`,
    image: {
      url: swatch.url.replace("media://", `${environment.MEDIA_BASE_URL}/`),
      alt: material.name,
      width: expect.any(Number),
      height: expect.any(Number),
      color: expect.any(String),
      variants: expect.any(Array),
    },
  };
  const { cart, checkOut } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  expect(cart.items).toMatchObject([shown]);
  const { order } = (await checkOut()).body.data;
  expect(order.items).toMatchObject([shown]);
  const tracked = await clientOf(baseUrl).get<Data<TrackedOrder>>(`/orders/track/${order.number}`);
  expect(tracked.body.data.items).toEqual([{ ...shown, quantity: 1 }]);
});
