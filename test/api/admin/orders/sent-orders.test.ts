import { expect, test } from "vitest";
import type { CheckoutAnswer, ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import { CouponUses } from "#shared/storage/pricing/coupons.ts";
import { aMember } from "#test/support/people/members.ts";
import { aCheckout, plantCoupon, plantProduct } from "#test/support/shop/plant.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world, staffAs } = await useShop();

const staff = await staffAs("manager");

/** A customer's cash-on-delivery order with a coupon. */
async function placed() {
  const { client, headers } = await aMember(baseUrl);
  const { sku } = await plantProduct(world.table, { units: 10 });
  const { code } = await plantCoupon(world.table, { max_uses: 5 });
  await client.post("/cart", { items: [{ sku, quantity: 1 }], coupon: code }, headers);
  const body = aCheckout({ payment_method: "cod" });
  const reply = await client.post<Data<CheckoutAnswer>>("/checkout", body, headers);
  expect(reply.status, reply.text).toBe(201);
  return { client, headers, code, id: reply.body.data.order.id };
}

test("a customer sees the shipment of a shipped order in the account and in the response of POST /checkout/{order}/confirm", async () => {
  const { client, headers, id } = await placed();
  await staff.patch(`/admin/orders/${id}`, { status: "ready_to_dispatch" });
  const parcel = { carrier: "Delhivery", tracking_number: "1490823764521" };
  expect((await staff.post(`/admin/orders/${id}/shipments`, parcel)).status).toBe(201);
  const own = await client.get<Data<{ shipments: object[] }>>(`/orders/${id}`, headers);
  expect(own.body.data.shipments).toMatchObject([parcel]);
  const path = `/checkout/${id}/confirm`;
  const confirmed = await client.post<Data<ConfirmAnswer>>(path, {}, headers);
  expect(confirmed.body.data.order.shipments).toMatchObject([parcel]);
});

test("cancelling an order releases its coupon use", async () => {
  const { code, id } = await placed();
  expect(await world.table.get(CouponUses, { code, by: "all" })).toMatchObject({ uses: 1 });
  const { status, text } = await staff.patch(`/admin/orders/${id}`, { status: "cancelled" });
  expect(status, text).toBe(200);
  expect(await world.table.get(CouponUses, { code, by: "all" })).toMatchObject({ uses: 0 });
});
