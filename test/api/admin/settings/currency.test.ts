import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Cart } from "#shared/domain/cart/cart.ts";
import {
  PublishedMaterials,
  PublishedProducts,
  PublishedSofas,
  Products,
  Stocks,
} from "#shared/storage/catalog/catalog.ts";
import { Coupons } from "#shared/storage/pricing/coupons.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import { type Write, put, remove } from "#shared/storage/writes.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { aProduct } from "#test/support/shop/builders.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aStore } from "#test/support/shop/commerce.ts";
import { aMember } from "#test/support/people/members.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import {
  aPublishedProduct,
  plantCoupon,
  plantProduct,
  plantSofa,
} from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aBench, askForQuote } from "#test/support/back-office/sales.ts";
import { type Data, aShopper } from "#test/support/shop/shopping.ts";
import { whenShown, waitUntil } from "#test/support/stack/wait-until.ts";
import type { StaffClient } from "#test/support/people/people.ts";

let office: BackOffice;
let owner: StaffClient;
let baseUrl: string;
beforeAll(async () => {
  office = await openBackOffice();
  owner = await office.colleague("owner");
  baseUrl = office.stack.baseUrl;
});
afterAll(() => office.stop());

type Store = ReturnType<typeof aStore> & { version: number };
const save = (overrides: Parameters<typeof aStore>[0]) =>
  owner.put<Data<Store> & Problem>("/admin/settings/store", aStore(overrides));

/** Functions that create a record with a price and return the writes that delete it. */
const priced: readonly (readonly [kind: string, make: () => Promise<readonly Write[]>])[] = [
  [
    "product",
    async () => {
      const product = aPublishedProduct();
      await office.table.write(put(PublishedProducts, product));
      return [remove(PublishedProducts, product)];
    },
  ],
  [
    "product",
    async () => {
      const product = aProduct({ status: "draft" });
      await office.table.write(put(Products, product));
      return [remove(Products, product)];
    },
  ],
  [
    "sofa",
    async () => {
      const { sofa, material } = await plantSofa(office.table);
      await office.table.write(remove(PublishedMaterials, material));
      return [remove(PublishedSofas, sofa)];
    },
  ],
  [
    "material",
    async () => {
      const { sofa, material } = await plantSofa(office.table);
      await office.table.write(remove(PublishedSofas, sofa));
      return [remove(PublishedMaterials, material)];
    },
  ],
  [
    "coupon",
    async () => {
      return [remove(Coupons, await plantCoupon(office.table))];
    },
  ],
  [
    "quote",
    async () => {
      return [remove(Quotes, await askForQuote(baseUrl, [aBench()]))];
    },
  ],
  [
    "order",
    async () => {
      const order = { ...aPlacedOrder(), placed_at: new Date().toISOString() };
      await office.table.write(put(Orders, order));
      return [remove(Orders, order)];
    },
  ],
];

describe("the shop's currency", () => {
  test("can change while no record has a price and there is no order", async () => {
    const dollars = await save({ currency: "USD" });
    expect([dollars.status, dollars.body.data.currency]).toEqual([200, "USD"]);
    expect(dollars.body.data.currencies).toEqual(["USD", "INR"]);
    expect((await save({ currency: "INR" })).status).toBe(200);
  });

  test.each(priced)(
    "cannot change while the shop has a record of the kind %s",
    async (kind, make) => {
      const removal = await make();
      const refused = await save({ currency: "USD" });
      expect([refused.status, refused.body.code]).toEqual([409, "in_use"]);
      expect(refused.body.details).toEqual({ used_by: [{ kind, id: expect.any(String) }] });
      const renamed = await save({ legal_name: `Teak and Thread of ${kind}` });
      expect(renamed.status).toBe(200);
      await office.table.transact(removal);
      expect((await save({ currency: "INR" })).status).toBe(200);
    },
  );

  test.each([
    ["currency", { currency: "XXX" }],
    ["currencies.1", { currencies: ["INR", "ZZZ"] }],
    ["locale", { locale: "zz-ZZ" }],
    ["locales.0", { locales: ["en-ZZ"] }],
    ["locales.1", { locales: ["hi-IN", "xx"] }],
  ])("and locales must exist: the path %s is refused with %j", async (path, overrides) => {
    const { status, body } = await save(overrides);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [path]]);
  });
});

test("the shop's country cannot change once there is an order", async () => {
  expect((await save({ country: "LK" })).status).toBe(200);
  expect((await save({ country: "IN" })).status).toBe(200);
  const [, make] = priced.find(([kind]) => kind === "order")!;
  const removal = await make();
  const refused = await save({ country: "LK" });
  expect([refused.status, refused.body.code]).toEqual([409, "in_use"]);
  expect(refused.body.details).toMatchObject({ used_by: [{ kind: "order" }] });
  await office.table.transact(removal);
});

describe("a cart", () => {
  test("refuses to add items that are priced in a currency other than the shop's", async () => {
    const [own, foreign] = [
      await plantProduct(office.table),
      await plantProduct(office.table, { currency: "USD" }),
    ];
    const client = clientOf(baseUrl);
    const refused = await client.post<Problem>("/cart", {
      items: [
        { sku: own.sku, quantity: 1 },
        { sku: foreign.sku, quantity: 1 },
      ],
    });
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([
      422,
      ["items.1.sku"],
    ]);

    const {
      client: guest,
      headers,
      checkOut,
    } = await aShopper(baseUrl, [{ sku: own.sku, quantity: 1 }]);
    await office.table.write(put(PublishedProducts, { ...own.product, currency: "USD" }));
    await whenShown(async () => {
      const { body } = await guest.get<Data<Cart>>("/cart", headers);
      expect(body.data.requirements.map(({ code }) => code)).toEqual(["unavailable"]);
    });
    const order = await checkOut();
    expect([order.status, order.body.code]).toEqual([409, "cart_changed"]);

    for (const { product, stock_id: id } of [own, foreign]) {
      await office.table.transact([remove(PublishedProducts, product), remove(Stocks, { id })]);
    }
  });
});

describe("customer preferences", () => {
  test("accept only locales and currencies that the settings list", async () => {
    await save({ locale: "en-IN" });
    const member = await aMember(baseUrl);
    const choose = async (locale: string, currency: string | null) => {
      const body = { locale, currency, newsletter: false, whatsapp_updates: false };
      const reply = await member.client.put<Problem>("/account/preferences", body, member.headers);
      return [reply.status, Object.keys(reply.body.errors ?? {})];
    };
    expect(await choose("en-IN", "INR")).toEqual([200, []]);
    expect(await choose("en-IN", null)).toEqual([200, []]);
    expect(await choose("zz-ZZ", "XXX")).toEqual([422, ["locale", "currency"]]);
    expect(await choose("hi-IN", "USD")).toEqual([422, ["locale", "currency"]]);

    await save({ locales: ["en-IN", "hi-IN"], currencies: ["INR", "USD"] });
    await waitUntil(async () => expect(await choose("hi-IN", "USD")).toEqual([200, []]));
    expect(await choose("de-DE", "EUR")).toEqual([422, ["locale", "currency"]]);
  });
});
