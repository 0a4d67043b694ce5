import { expect, test } from "vitest";
import { productCard } from "#shared/domain/catalog/product-card.ts";
import { Cards, PublishedProducts } from "#shared/storage/catalog/catalog.ts";
import { put } from "#shared/storage/writes.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { inboxOf } from "#test/support/emulators/inbox.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { type QuoteView, aBench, askForQuote, sendQuote } from "#test/support/back-office/sales.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, world, staffAs } = await useShop({ effects: ["mail"] });

const permission = "orders.discount";
const reason = "Display piece";
/** The catalog's price of a planted product. */
const regular = 1_000_000;

const seller = await staffAs("sales");
const manager = await staffAs("manager");

async function aQuote(quantity = 3) {
  const { product } = await plantProduct(world.table, { units: 50 });
  await world.table.write(put(Cards, productCard(product, [])));
  const { id } = await askForQuote(baseUrl, [{ product: product.slug, quantity }, aBench()]);
  const { items } = (await seller.get<Data<QuoteView>>(`/admin/quotes/${id}`)).body.data;
  const [chair, bench] = items.map((item) => item.id);
  return { id, product, chair: chair!, bench: bench! };
}

const edit = async (by: StaffClient, id: string, items: readonly object[]) => {
  const { status, body } = await by.patch<Data<QuoteView> & Problem>(`/admin/quotes/${id}`, {
    items,
  });
  return [status, body.details ?? body.errors ?? body.data.items];
};

const tooLow = { permission, max_discount_bps: 1_000, lowest_price: 900_000 };

test("staff may go below the catalog's price as far as their role allows, by price, discount and both", async () => {
  const { id, chair, bench } = await aQuote();
  const rest = { id: bench };
  const offers: [StaffClient, object, unknown][] = [
    [seller, { unit_price: 899_999 }, tooLow],
    [seller, { discount: { bps: 1_001, reason } }, tooLow],
    [seller, { discount: { amount: 300_001, reason } }, tooLow],
    [seller, { unit_price: 950_000, discount: { amount: 150_001, reason } }, tooLow],
  ];
  for (const [by, offer, refusal] of offers) {
    expect([offer, await edit(by, id, [{ id: chair, ...offer }, rest])]).toEqual([
      offer,
      [403, refusal],
    ]);
  }
  const lowest = { unit_price: 950_000, discount: { amount: 150_000, reason } };
  expect(await edit(seller, id, [{ id: chair, ...lowest }, rest])).toMatchObject([
    200,
    [
      {
        regular_price: regular,
        unit_price: 950_000,
        discount: { bps: null, amount: 150_000, reason },
        priced_by: seller.id,
      },
      { priced_by: null },
    ],
  ]);
  expect(
    await edit(manager, id, [{ id: chair, unit_price: 1, discount: null }, rest]),
  ).toMatchObject([200, [{ unit_price: 1, discount: null, priced_by: manager.id }, {}]]);
});

test("a price that a manager gave stays when others edit the quote, but not for other quantities", async () => {
  const { id, chair, bench } = await aQuote();
  await edit(manager, id, [{ id: chair, unit_price: 500_000 }, { id: bench }]);
  expect(await edit(seller, id, [{ id: chair }, { id: bench, unit_price: 70_000 }])).toMatchObject([
    200,
    [{ unit_price: 500_000, priced_by: manager.id }, { unit_price: 70_000 }],
  ]);
  expect(await edit(seller, id, [{ id: chair, quantity: 30 }, { id: bench }])).toEqual([
    403,
    tooLow,
  ]);
  expect(await edit(seller, id, [{ id: chair, quantity: 3 }, { id: bench }])).toMatchObject([
    200,
    [{ quantity: 3 }, {}],
  ]);
});

test("a line that is priced anew follows the catalog, and the limit is that of the day", async () => {
  const { id, chair, bench, product } = await aQuote();
  const [variant] = product.variants;
  const dearer = { ...product, variants: [{ ...variant!, price: 2_000_000 }] };
  await world.table.write(put(PublishedProducts, dearer));
  expect(await edit(seller, id, [{ id: chair, quantity: 2 }, { id: bench }])).toMatchObject([
    200,
    [{ quantity: 2, regular_price: 2_000_000, unit_price: 2_000_000 }, {}],
  ]);
  const lowest_price = 1_800_000;
  expect(
    await edit(seller, id, [{ id: chair, unit_price: lowest_price - 1 }, { id: bench }]),
  ).toEqual([403, { ...tooLow, lowest_price }]);
});

test("a discount is no more than the line costs, and is a share or an amount", async () => {
  const { id, chair, bench } = await aQuote(1);
  const tried = (discount: object) => edit(manager, id, [{ id: chair, discount }, { id: bench }]);
  expect(await tried({ amount: regular + 1, reason })).toMatchObject([
    422,
    { "items.0.discount": ["The discount is higher than the line's price."] },
  ]);
  expect(await tried({ reason })).toMatchObject([
    422,
    { "items.0.discount.bps": [expect.stringMatching(/bps or an amount/)] },
  ]);
  expect(await tried({ bps: 100 })).toMatchObject([
    422,
    { "items.0.discount.reason": [expect.stringMatching(/required/)] },
  ]);
});

test("the buyer sees the discount in the offer, the cart and the order, and no coupon joins it", async () => {
  const { id, chair } = await aQuote();
  await edit(manager, id, [{ id: chair, unit_price: 950_000, discount: { bps: 1_000, reason } }]);
  const { quote, token } = await sendQuote(
    { staff: manager, inbox: inboxOf(environment.SES_ENDPOINT) },
    id,
    950_000,
  );
  const line = {
    unit_price: 950_000,
    line_subtotal: 2_850_000,
    line_discount: 285_000,
    line_total: 2_565_000,
  };
  const totals = { items_subtotal: 2_850_000, discount: 285_000 };
  expect(quote).toMatchObject({ items: [line], totals: { ...totals, grand_total: 2_565_000 } });
  const visitor = clientOf(baseUrl);
  const accepted = await visitor.post<Data<Cart>>(`/quotes/${id}/accept`, { token });
  expect(accepted.body.data).toMatchObject({ items: [line], totals });
  const cart = { "x-cart-token": accepted.body.data.token ?? "" };
  const { body } = await visitor.post<Data<CheckoutAnswer>>(
    "/checkout",
    aCheckout({ payment_method: "bank_transfer" }),
    cart,
  );
  expect(body.data.order).toMatchObject({ items: [line], totals });
});
