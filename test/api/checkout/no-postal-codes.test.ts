import { beforeAll, expect, test } from "vitest";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { Address } from "#shared/domain/customer/address-book.ts";
import type { ShippingQuote } from "#shared/domain/delivery/shipping.ts";
import type { Order } from "#shared/domain/order/view/buyer-order.ts";
import type { ShippingSettings } from "#shared/domain/settings/shipping-settings.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aMember } from "#test/support/people/members.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import { type Data, aShopper } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";
import { soon } from "#test/support/stack/wait-until.ts";

const { baseUrl, world, staffAs } = await useShop();

const emirates = { line1: "12 Marina Walk", city: "Dubai", country: "AE" };

/** The zones, with one of a country that has no postal codes. */
beforeAll(async () => {
  const owner = await staffAs("owner");
  const { body } = await owner.get<Data<ShippingSettings>>("/admin/settings/shipping");
  const zones = body.data.zones;
  const zone = {
    ...zones[0],
    code: "emirates",
    name: "Emirates",
    country: "AE",
    postal_prefixes: [],
  };
  const saved = await owner.put("/admin/settings/shipping", {
    ...body.data,
    zones: [...zones.filter(({ code }) => code !== zone.code), zone],
  });
  expect([saved.status, saved.text]).toEqual([200, expect.any(String)]);
});

const aBasket = async () => {
  const { sku } = await plantProduct(world.table);
  return aShopper(baseUrl, [{ sku, quantity: 1 }]);
};

test("an order can be placed where a country has no postal codes: the country is the destination", async () => {
  const { client, headers } = await aBasket();
  // The functions notice the new zone when their copies of the settings expire.
  const amount = await soon(async () => {
    const quote = await client.get<Data<ShippingQuote>>("/shipping/quote?country=AE", headers);
    expect(quote.body.data).toMatchObject({ serviceable: true, zone: { code: "emirates" } });
    return quote.body.data.methods.find(({ code }) => code === "standard")?.amount;
  });
  const cart = await client.get<Data<Cart>>("/cart?country=AE&shipping_method=standard", headers);
  expect(cart.body.data.totals).toMatchObject({ shipping: amount, provisional: false });
  const form = aCheckout({ shipping_address: { ...emirates, postal_code: "00000" } });
  const reply = await soon(async () => {
    const placed = await client.post<Data<{ order: Order }>>("/checkout", form, headers);
    expect([placed.status, placed.text]).toEqual([201, expect.any(String)]);
    return placed;
  });
  expect(reply.body.data.order.addresses.shipping).toMatchObject({
    country: "AE",
    postal_code: null,
  });
});

test("where a country has postal codes, a missing one leaves a cart's delivery open and is refused elsewhere", async () => {
  const { client, headers } = await aBasket();
  const cart = await client.get<Data<Cart>>("/cart?country=IN&shipping_method=standard", headers);
  expect([cart.status, cart.body.data.totals.shipping]).toEqual([200, null]);
  const replies = [
    await client.get<Problem>("/shipping/quote?country=IN", headers),
    await client.get<Problem>("/shipping/slots?shipping_method=standard", headers),
    await client.post<Problem>(
      "/checkout",
      aCheckout({ shipping_address: { ...emirates, country: "IN" } }),
      headers,
    ),
  ];
  expect(replies.map(({ status, body }) => [status, Object.entries(body.errors ?? {})])).toEqual(
    ["postal_code", "postal_code", "shipping_address.postal_code"].map((path) => [
      422,
      [[path, ["The postal code field is required."]]],
    ]),
  );
});

test("an address has a postal code in its country's form, or null where there is none", async () => {
  const { headers } = await aMember(baseUrl);
  const client = clientOf(baseUrl);
  const address = { name: "Asha Rao", phone: "+919812345678", ...emirates };
  const made = await client.post<Data<Address>>("/addresses", address, headers);
  expect([made.status, made.body.data.postal_code]).toEqual([201, null]);
  const path = `/addresses/${made.body.data.id}`;
  const missing = await client.patch<Problem>(path, { country: "DE" }, headers);
  expect([missing.status, Object.keys(missing.body.errors ?? {})]).toEqual([422, ["postal_code"]]);
  const moved = await client.patch<Data<Address>>(
    path,
    { country: "DE", postal_code: "D-10115" },
    headers,
  );
  expect([moved.status, moved.body.data.postal_code]).toEqual([200, "10115"]);
  const back = await client.patch<Data<Address>>(path, { country: "AE" }, headers);
  expect([back.status, back.body.data.postal_code]).toEqual([200, null]);
});
