import { expect, test } from "vitest";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import { PublishedSofas } from "#shared/storage/catalog/catalog.ts";
import { CouponUses } from "#shared/storage/pricing/coupons.ts";
import { scheduleCheck } from "#shared/storage/order/due-orders.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import { remove, update } from "#shared/storage/writes.ts";
import { type Member, aMember } from "#test/support/people/members.ts";
import { aCheckout, plantCoupon, plantProduct, plantSofa } from "#test/support/shop/plant.ts";
import { aBench, askForQuote, sendQuote } from "#test/support/back-office/sales.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world, inbox, stripe, staffAs } = await useShop({
  effects: ["due-orders", "mail"],
});

const { table } = world;
const staff = await staffAs("sales");

const becomes = (id: string, expected: object) =>
  waitFor(
    "due-orders",
    async () => expect(await table.get(Orders, { id })).toMatchObject(expected),
    { interval: 50 },
  );
/** The bank may take ten days before the order expires. */
const tenDaysAgo = () => new Date(Date.now() - 10 * 86_400_000).toISOString();
const aMomentAgo = () => new Date(Date.now() - 1_000).toISOString();

/** A customer's cart with a product, a coupon, and the lines of an accepted quote. */
async function cartWithOffer(member: Member) {
  const product = await plantProduct(table, { units: 10 });
  const { code } = await plantCoupon(table, { max_uses: 5 });
  const cart = { items: [{ sku: product.sku, quantity: 1 }], coupon: code };
  const asked = await askForQuote(baseUrl, [aBench()], { email: member.email });
  const { quote, token } = await sendQuote({ staff, inbox }, asked.id, 700_000);
  for (const [path, body] of [
    ["/cart", cart],
    [`/quotes/${quote.id}/accept`, { token }],
  ] as const) {
    const { status, text } = await member.client.post(path, body, member.headers);
    expect(status, text).toBeLessThan(300);
  }
  return { product, code, quote };
}

test.each(["a webhook", "the confirm call", "the scheduled check"])(
  "if %s reports a payment for an expired order, the order's stock, coupon use and quote are reserved again",
  async (means) => {
    const member = await aMember(baseUrl);
    const { product, code, quote } = await cartWithOffer(member);
    const body = aCheckout({ payment_method: "gateway" });
    const placed = await member.client.post<Data<CheckoutAnswer>>(
      "/checkout",
      body,
      member.headers,
    );
    expect(placed.status, placed.text).toBe(201);
    const { order, payment } = placed.body.data;
    const { id } = order;
    const secret =
      payment.action.type === "stripe_payment_intent" ? payment.action.client_secret : "";
    await stripe.pay(secret, "pm_usBankAccount_processing");
    const due = scheduleCheck(id, aMomentAgo());
    await table.transact([update(Orders, { id }, { set: { expires_at: tenDaysAgo() } }), due]);
    await becomes(id, { status: "expired" });
    expect(await table.get(CouponUses, { code, by: "all" })).toMatchObject({ uses: 0 });

    const confirm = `/checkout/${id}/confirm`;
    if (means !== "a webhook") await stripe.holdNext(id);
    await stripe.completePayment(secret.replace(/_secret_.*$/, ""), "succeeded");
    if (means === "the confirm call") await member.client.post(confirm, {}, member.headers);
    if (means === "the scheduled check") await table.write(scheduleCheck(id, aMomentAgo()));
    await becomes(id, { status: "confirmed", attention: [{ code: "late_payment" }] });
    await stripe.letGo(id);
    expect(await table.get(CouponUses, { code, by: "all" })).toMatchObject({ uses: 1 });
    expect(await product.stock()).toMatchObject({ reserved: 1 });
    expect(await table.get(Quotes, { id: quote.id })).toMatchObject({
      status: "converted",
      order_id: id,
    });
  },
);

test("an accepted quote is added to a cart even if the cart's sofa is no longer available", async () => {
  const member = await aMember(baseUrl);
  const { sofa } = await plantSofa(table);
  const items = [{ sofa: sofa.slug, configuration: {}, quantity: 1 }];
  const made = await member.client.post("/cart", { items }, member.headers);
  expect(made.status, made.text).toBe(201);
  await table.write(remove(PublishedSofas, { slug: sofa.slug }));
  const asked = await askForQuote(baseUrl, [aBench()], { email: member.email });
  const { quote, token } = await sendQuote({ staff, inbox }, asked.id, 700_000);
  const accept = `/quotes/${quote.id}/accept`;
  const { body } = await member.client.post<Data<Cart>>(accept, { token }, member.headers);
  expect(body.data.items.map(({ kind }) => kind)).toEqual(["sofa", "quoted"]);
  expect(body.data.requirements).not.toEqual([]);
});
