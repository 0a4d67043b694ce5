import { describe, expect, test } from "vitest";
import { sofaCard } from "#shared/domain/sofa/sofa-card.ts";
import { productCard } from "#shared/domain/catalog/product-card.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import type { PublishedProduct } from "#shared/domain/catalog/product.ts";
import type { WishlistItem } from "#shared/domain/cart/wishlist.ts";
import { Cards, PublishedMaterials, PublishedSofas } from "#shared/storage/catalog/catalog.ts";
import { WishCounts } from "#shared/storage/cart/wishlist.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { type Member, aMember } from "#test/support/people/members.ts";
import { aPublishedProduct, plantSofa } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, tally } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table } = await useShop();

type One = Data<WishlistItem> & Problem;
type Page = { data: WishlistItem[]; meta: { per_page: number; next_cursor: string | null } };

const add = ({ client, headers }: Member, body: object) =>
  client.post<One>("/wishlist", body, headers);
const read = async ({ client, headers }: Member, query = "") =>
  (await client.get<Page & Problem>(`/wishlist${query}`, headers)).body;

/** A product with a card. It has no published copy, so no stream consumer rewrites the card during the test. */
async function aCardedProduct(): Promise<PublishedProduct> {
  const product = aPublishedProduct();
  await table.write(put(Cards, productCard(product, [])));
  return product;
}

const atPrice = (product: PublishedProduct, price: number) =>
  table.write(put(Cards, { ...productCard(product, []), price }));

describe("the wishlist", () => {
  test("contains an added product with its current price; adding it returns 201 the first time and 200 after that", async () => {
    const member = await aMember(baseUrl);
    const product = await aCardedProduct();
    const first = await add(member, { product: product.id });
    expect(first.status).toBe(201);
    expect(first.body.data).toMatchObject({
      product_id: product.id,
      kind: "product",
      slug: product.slug,
      name: product.name,
      configuration: null,
      price_when_added: 1_000_000,
      price: 1_000_000,
      price_dropped: false,
      card: { id: product.id, price: 1_000_000 },
    });
    const again = await add(member, { product: product.id });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await read(member)).data).toEqual([first.body.data]);
  });

  test("accepts a product by its slug", async () => {
    const member = await aMember(baseUrl);
    const { body } = await member.client.get<Data<{ id: string; slug: string }[]>>("/products");
    const [product] = body.data;
    const { status, body: kept } = await add(member, { product: product?.slug });
    expect([status, kept.data.product_id]).toEqual([201, product?.id]);
  });

  test("reports a price drop, and shows no price for a product that is no longer sold", async () => {
    const member = await aMember(baseUrl);
    const product = await aCardedProduct();
    await add(member, { product: product.id });
    await atPrice(product, 900_000);
    expect((await read(member)).data[0]).toMatchObject({
      price_when_added: 1_000_000,
      price: 900_000,
      price_dropped: true,
    });
    await atPrice(product, 1_100_000);
    expect((await read(member)).data[0]?.price_dropped).toBe(false);
    await table.write(remove(Cards, { id: product.id }));
    expect((await read(member)).data[0]).toMatchObject({
      name: product.name,
      card: null,
      price: null,
      price_dropped: false,
    });
  });

  test("stores a sofa's configuration with its price", async () => {
    const member = await aMember(baseUrl);
    const { sofa, material } = await plantSofa(table);
    const card = sofaCard(sofa, new Map([[material.code, material]]));
    await table.write(put(Cards, card));
    const plain = await add(member, { product: sofa.slug });
    expect(plain.body.data).toMatchObject({ kind: "sofa", price: card.price, configuration: null });

    const configuration = { size: "three-seater" };
    const configured = await add(member, { product: sofa.slug, configuration });
    expect(configured.status).toBe(200);
    expect(configured.body.data.configuration).toMatchObject({
      size: "three-seater",
      upholstery: material.code,
    });
    const materials = new Map([[material.code, material]]);
    const { price, configuration_id } = priceSofa(sofa, materials, configuration);
    expect(configured.body.data).toMatchObject({ price, configuration_id });
    const [item] = (await read(member)).data;
    // `card` is not compared, because the stream consumer that indexes the new sofa may rewrite it meanwhile.
    expect(item).toEqual({ ...configured.body.data, card: item?.card });

    await table.write(put(PublishedSofas, { ...sofa, base_price: sofa.base_price - 100_000 }));
    expect((await read(member)).data[0]).toMatchObject({
      price: (price ?? 0) - 100_000,
      price_dropped: true,
    });
  });

  test("follows a configured sofa that is renamed and gets a new option with a material", async () => {
    const member = await aMember(baseUrl);
    const { sofa, material } = await plantSofa(table);
    const byCode = new Map([[material.code, material]]);
    await table.write(put(Cards, sofaCard(sofa, byCode)));
    const added = await add(member, { product: sofa.slug, configuration: {} });
    const piping = { ...material, id: newId("mat", new Date()), code: `${material.code}-piping` };
    const upholstery = sofa.option_groups.find(({ input }) => input === "material")!;
    const [value] = upholstery.values;
    const own = {
      code: "piping",
      default: piping.code,
      values: [{ ...value!, code: piping.code }],
    };
    const slug = `${sofa.slug}-renamed`;
    const option_groups = [...sofa.option_groups, { ...upholstery, ...own }];
    const renamed = { ...sofa, slug, option_groups, model_version: sofa.model_version + 1 };
    await table.transact([
      remove(PublishedSofas, sofa),
      put(PublishedSofas, renamed),
      put(PublishedMaterials, piping),
      put(Cards, { ...sofaCard(sofa, byCode), slug }),
    ]);
    const materials = new Map([...byCode, [piping.code, piping]]);
    const { price } = priceSofa(renamed, materials, {});
    expect(price).toBeGreaterThan(added.body.data.price ?? 0);
    expect((await read(member)).data).toMatchObject([{ price, card: { slug } }]);
    const { client, headers } = member;
    expect((await client.delete(`/wishlist/${slug}`, headers)).status).toBe(204);
    expect((await read(member)).data).toEqual([]);
  });

  test("refuses unavailable products and invalid configurations", async () => {
    const member = await aMember(baseUrl);
    const product = await aCardedProduct();
    const { sofa, material } = await plantSofa(table);
    await table.write(put(Cards, sofaCard(sofa, new Map([[material.code, material]]))));
    const errors = async (body: object) => {
      const reply = await add(member, body);
      return [reply.status, Object.keys(reply.body.errors ?? {})];
    };
    expect(await errors({ product: "no-such-chair" })).toEqual([422, ["product"]]);
    expect(await errors({ product: newId("prd", new Date()) })).toEqual([422, ["product"]]);
    expect(await errors({ product: product.id, configuration: {} })).toEqual([
      422,
      ["configuration"],
    ]);
    const configuration = { size: "huge" };
    expect(await errors({ product: sofa.slug, configuration })).toEqual([
      422,
      ["configuration.size"],
    ]);
    expect((await read(member)).data).toEqual([]);
  });

  test("deletes only this customer's entry, by id or slug, and returns 204 even if there is none", async () => {
    const [member, other] = await Promise.all([aMember(baseUrl), aMember(baseUrl)]);
    const [one, two] = [await aCardedProduct(), await aCardedProduct()];
    for (const owner of [member, other]) {
      for (const { id } of [one, two]) await add(owner, { product: id });
    }
    const forget = (name: string) => member.client.delete(`/wishlist/${name}`, member.headers);
    for (const name of [one.id, one.id, two.slug, two.slug, "no-such-chair"]) {
      expect((await forget(name)).status).toBe(204);
    }
    expect((await read(member)).data).toEqual([]);
    expect((await read(other)).data).toHaveLength(2);
    expect(await table.get(WishCounts, { customer: member.id })).toEqual({ entries: 0 });
  });

  describe("deletes one entry at most", () => {
    const forget = ({ client, headers }: Member, name: string) =>
      client.delete<Problem>(`/wishlist/${name}`, headers);
    const idsOf = async (member: Member) =>
      (await read(member)).data.map(({ product_id }) => product_id);
    /** A listed product and a listed sofa with one slug. */
    async function twins(member: Member) {
      const { sofa, material } = await plantSofa(table);
      await table.write(put(Cards, sofaCard(sofa, new Map([[material.code, material]]))));
      const product = { ...aPublishedProduct(), slug: sofa.slug };
      await table.write(put(Cards, productCard(product, [])));
      for (const { id } of [product, sofa]) await add(member, { product: id });
      return { product: product.id, sofa: sofa.id, slug: sofa.slug };
    }

    test("of a product and a sofa with one slug the product first", async () => {
      const member = await aMember(baseUrl);
      const { product, sofa, slug } = await twins(member);
      expect(await idsOf(member)).toEqual([sofa, product]);
      expect((await forget(member, slug)).status).toBe(204);
      expect(await idsOf(member)).toEqual([sofa]);
      expect((await forget(member, slug)).status).toBe(204);
      expect(await idsOf(member)).toEqual([]);
    });

    test("of the kind that the request names, and refuses other kinds", async () => {
      const member = await aMember(baseUrl);
      const { product, sofa, slug } = await twins(member);
      for (const kind of ["sofa", "sofa"]) {
        expect((await forget(member, `${slug}?kind=${kind}`)).status).toBe(204);
        expect(await idsOf(member)).toEqual([product]);
      }
      const { status, body } = await forget(member, `${slug}?kind=story`);
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["kind"]]);
      await add(member, { product: sofa });
      await forget(member, `${slug}?kind=product`);
      expect(await idsOf(member)).toEqual([sofa]);
      expect(await table.get(WishCounts, { customer: member.id })).toEqual({ entries: 1 });
    });

    test("by the slug that a product has now, before one that had it when added", async () => {
      const member = await aMember(baseUrl);
      const renamed = await aCardedProduct();
      await add(member, { product: renamed.id });
      const slug = `${renamed.slug}-renamed`;
      await table.write(put(Cards, productCard({ ...renamed, slug }, [])));
      const taker = { ...aPublishedProduct(), slug: renamed.slug };
      await table.write(put(Cards, productCard(taker, [])));
      await add(member, { product: taker.id });
      await forget(member, renamed.slug);
      expect(await idsOf(member)).toEqual([renamed.id]);
      await forget(member, slug);
      expect(await idsOf(member)).toEqual([]);
    });

    test("of several that had the slug when added the newest", async () => {
      const member = await aMember(baseUrl);
      const older = await aCardedProduct();
      await add(member, { product: older.id });
      const newer = { ...aPublishedProduct(), slug: older.slug };
      await table.write(put(Cards, productCard(newer, [])));
      await add(member, { product: newer.id });
      for (const { id } of [older, newer]) await table.write(remove(Cards, { id }));
      await forget(member, older.slug);
      expect(await idsOf(member)).toEqual([older.id]);
    });
  });

  test("stores one entry if concurrent requests add the same product", async () => {
    const member = await aMember(baseUrl);
    const { id } = await aCardedProduct();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => add(member, { product: id })),
    );
    expect(tally(replies)).toEqual({ "200": 7, "201": 1 });
    expect(await table.get(WishCounts, { customer: member.id })).toEqual({ entries: 1 });
  });

  test("is limited to 200 entries", async () => {
    const member = await aMember(baseUrl);
    await table.write(put(WishCounts, { customer: member.id, entries: 199 }));
    const [one, two] = [await aCardedProduct(), await aCardedProduct()];
    expect((await add(member, { product: one.id })).status).toBe(201);
    const { status, body } = await add(member, { product: two.id });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["product"]]);
    expect((await add(member, { product: one.id })).status).toBe(200);
  });

  test("is listed newest first and paginated without duplicates", async () => {
    const member = await aMember(baseUrl);
    const products = await Promise.all(Array.from({ length: 5 }, aCardedProduct));
    for (const { id } of products) await add(member, { product: id });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await read(member, `?per_page=2${cursor ? `&cursor=${cursor}` : ""}`);
      seen.push(...page.data.map(({ product_id }) => product_id));
      cursor = page.meta.next_cursor;
    } while (cursor);
    expect(seen).toEqual(products.map(({ id }) => id).toReversed());

    const other = await aMember(baseUrl);
    const { meta } = await read(member, "?per_page=2");
    const foreign = await read(other, `?cursor=${meta.next_cursor}`);
    expect(Object.keys(foreign.errors ?? {})).toEqual(["cursor"]);
  });
});
