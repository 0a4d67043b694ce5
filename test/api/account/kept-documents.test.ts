import { expect, test } from "vitest";
import type { Document } from "#shared/domain/document/document.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import { orderDesk } from "#test/support/back-office/orders.ts";
import { aBench, askForQuote, sendQuote } from "#test/support/back-office/sales.ts";
import { documentsOf } from "#shared/storage/document/documents.ts";
import { fileOfDocument } from "#test/support/http/client.ts";
import { aPassword, aVerifiedMember, deleteAccount } from "#test/support/people/members.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table, inbox, staffAs } = await useShop({
  effects: ["documents", "mail"],
});

const staff = await staffAs("manager");

/** Waits until a record has documents of exactly these types. */
const untilTypes = (path: string, types: readonly Document["type"][]): Promise<Document[]> =>
  waitFor("documents", async () => {
    const { body } = await staff.get<Data<Document[]>>(`${path}/documents`);
    expect(body.data.map(({ type }) => type)).toEqual(types);
    return body.data;
  });

test("deleting an account removes order confirmations and PDFs of quotes, and keeps invoices", async () => {
  const member = await aVerifiedMember({ baseUrl, inbox });
  const { product } = { product: await plantProduct(table, { units: 5 }) };
  const items = [{ sku: product.sku, quantity: 2 }];
  await member.client.post<Data<Cart>>("/cart", { items }, member.headers);
  const { email, phone } = member;
  const placed = await member.client.post<Data<CheckoutAnswer>>(
    "/checkout",
    aCheckout({ email, phone, payment_method: "cod" }),
    member.headers,
  );
  expect([placed.status, placed.text]).toEqual([201, expect.any(String)]);
  const { id, items: lines } = placed.body.data.order;
  await orderDesk(baseUrl, environment).send({ id, line: lines[0]?.id ?? "" }, 2);
  const order = `/admin/orders/${id}`;
  const [confirmation] = await untilTypes(order, ["order_confirmation", "invoice"]);
  await waitFor("documents", () => fileOfDocument(baseUrl, confirmation!));

  const asked = await askForQuote(baseUrl, [aBench()], { email });
  const { token } = await sendQuote({ staff, inbox }, asked.id, 700_000);
  const quote = `/admin/quotes/${asked.id}`;
  const [offer] = await untilTypes(quote, ["quote"]);
  const own = await member.client.get<Data<Document[]>>(
    `/quotes/${asked.id}/documents?token=${token}`,
  );
  expect(own.body.data).toMatchObject([{ type: "quote", number: offer?.number }]);
  expect((await fetch(own.body.data[0]!.url)).status).toBe(200);
  expect((await member.client.get(`/quotes/${asked.id}/documents?token=wrong`)).status).toBe(404);

  expect(await deleteAccount(member, aPassword)).toBe(204);
  const [kept] = await untilTypes(order, ["invoice"]);
  await untilTypes(quote, []);
  const path = new URL(confirmation!.url).pathname.slice("/api/v1".length);
  expect((await member.client.get(path)).status).toBe(404);
  await waitFor("documents", async () => expect((await fetch(offer!.url)).status).toBe(404));
  const { documents } = await documentsOf(table, id);
  const removed = documents.filter(({ removed_at }) => removed_at !== null);
  expect(removed.map(({ type }) => type)).toEqual(["order_confirmation"]);
  expect((await fetch(kept!.url)).status).toBe(200);
});
