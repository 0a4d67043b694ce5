import { describe, expect, test } from "vitest";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import type { Document } from "#shared/domain/document/document.ts";
import { aKey } from "#test/support/back-office/orders.ts";
import { type OrderInParts, ordersInParts } from "#test/support/shop/placed-orders.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, inbox, stripe, staffAs } = await useShop({
  effects: ["documents", "due-orders", "mail"],
});

const { place } = ordersInParts(baseUrl, environment);
const staff = await staffAs("manager");

const pathOf = ({ id }: OrderInParts) => `/admin/orders/${id}`;
const typesOf = (documents: readonly Document[]) => documents.map(({ type }) => type);

/** The order's documents, as soon as it has this many. */
const documentsOf = (order: OrderInParts, count: number): Promise<Document[]> =>
  waitFor("documents", async () => {
    const { body } = await staff.get<Data<Document[]>>(`${pathOf(order)}/documents`);
    expect(body.data).toHaveLength(count);
    return body.data;
  });

/** An order whose deposit was paid by card. */
async function paid(): Promise<OrderInParts> {
  const order = await place({ payment_method: "gateway" });
  const { action } = order.placed.payment;
  await stripe.pay(action.type === "stripe_payment_intent" ? action.client_secret : "");
  await order.confirm();
  return order;
}

const cancel = (order: OrderInParts, body: object = {}) =>
  staff.patch<Data<AdminOrder>>(pathOf(order), { status: "cancelled", ...body });

describe("a paid deposit", () => {
  test("has a receipt voucher, which its letter carries and the buyer finds", async () => {
    const order = await paid();
    const documents = await documentsOf(order, 2);
    expect(typesOf(documents)).toEqual(["order_confirmation", "receipt_voucher"]);
    const [, voucher] = documents;
    expect(voucher?.number).toMatch(/^[A-Z]{1,3}\/\d\d-\d\d\/R\d{5}$/);
    expect(voucher?.number.length).toBeLessThanOrEqual(16);
    const file = await fetch(voucher?.url ?? "");
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(bytes.subarray(0, 5).toString("latin1")).toBe("%PDF-");

    const filename = `receipt-voucher-${voucher?.number.replaceAll("/", "-")}.pdf`;
    const letter = await inbox.waitFor(order.email, ({ subject }) =>
      subject.includes("the deposit"),
    );
    expect(letter.attachments).toMatchObject([{ filename }]);
    expect(Buffer.from(letter.attachments[0]?.content ?? "", "base64").equals(bytes)).toBe(true);

    const { client, headers } = order.shopper;
    const own = await client.get<Data<Document[]>>(`/orders/${order.id}/documents`, headers);
    expect(typesOf(own.body.data)).toEqual(["order_confirmation", "receipt_voucher"]);
  });

  test("that is refunded without an invoice has a refund voucher, which its letter carries", async () => {
    const order = await paid();
    await documentsOf(order, 2);
    await cancel(order);
    await waitFor("due-orders", async () =>
      expect((await order.read()).order.payment_status).toBe("refunded"),
    );
    const [, receipt, refund] = await documentsOf(order, 3);
    expect([receipt?.type, refund?.type]).toEqual(["receipt_voucher", "refund_voucher"]);
    expect(refund?.number).toMatch(/^[A-Z]{1,3}\/\d\d-\d\d\/V\d{5}$/);
    const letter = await inbox.waitFor(order.email, ({ subject }) => subject.includes("refund"));
    const filename = `refund-voucher-${refund?.number.replaceAll("/", "-")}.pdf`;
    expect(letter.attachments).toMatchObject([{ filename }]);
  });

  test("that the shop keeps has no refund voucher, until it refunds a part after all", async () => {
    const order = await paid();
    await documentsOf(order, 2);
    const keep_amount = order.deposit;
    await cancel(order, { requested_by: "buyer", reason: "Changed their mind", keep_amount });
    expect(typesOf(await documentsOf(order, 2))).toEqual(["order_confirmation", "receipt_voucher"]);
    await staff.post(`${pathOf(order)}/refunds`, { amount: 100, reason: "Kindness" }, aKey());
    expect((await documentsOf(order, 3))[2]?.type).toBe("refund_voucher");
  });

  test("has consecutive numbers, however many are paid concurrently", async () => {
    const orders = await Promise.all(Array.from({ length: 5 }, paid));
    const vouchers = await Promise.all(
      orders.map(async (order) => (await documentsOf(order, 2))[1]?.number),
    );
    expect(new Set(vouchers).size).toBe(orders.length);
  });
});
