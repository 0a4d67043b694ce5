import { ProvenEmails } from "#shared/storage/customer/proven-emails.ts";
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type CustomerExport, recordsOfCustomer } from "#shared/domain/export/customer-export.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { markReminded } from "#shared/storage/marketing/cart-reminders.ts";
import { blockMail } from "#shared/storage/customer/mail-blocks.ts";
import { StoredReturns, OrderTimeline, Orders } from "#shared/storage/order/orders.ts";
import { listOrdersOf } from "#shared/storage/order/customer-orders.ts";
import { aReturn } from "#test/support/shop/order-record.ts";
import { put } from "#shared/storage/writes.ts";
import { exportByEmail } from "#infra/cli/export-customer.ts";
import { aConversation } from "#test/support/back-office/whatsapp.ts";
import { orderDesk } from "#test/support/back-office/orders.ts";
import { aBench, aLeadForm, askForQuote } from "#test/support/back-office/sales.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Member, aMember, anAddress, aVerifiedMember } from "#test/support/people/members.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { uploadedPicture } from "#test/support/shop/uploads.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, world, inbox, staffAs } = await useShop({
  effects: ["mail", "media"],
});

const { table } = world;
const manager = await staffAs("manager");

type Answer = Data<CustomerExport> & Problem;
const ask = (staff: StaffClient, id: string) => staff.get<Answer>(`/admin/customers/${id}/export`);
const kindsIn = ({ records }: CustomerExport) => new Set(records.map(({ record }) => record));

/** Places and pays an order, packs one unit, then fills a new cart. Returns the order's id. */
async function aPaidOrder(
  { client, headers, email, phone }: Member,
  quantity = 1,
): Promise<string> {
  const { sku } = await plantProduct(table);
  const fill = () => client.post("/cart", { items: [{ sku, quantity }] }, headers);
  await fill();
  const body = aCheckout({ email, phone });
  const placed = await client.post<Data<{ order: { id: string } }>>("/checkout", body, headers);
  const { id } = placed.body.data.order;
  const order = await table.get(Orders, { id });
  const desk = orderDesk(baseUrl, environment);
  await desk.receive(id, order?.totals.grand_total ?? 0);
  await desk.send({ id, line: order?.items[0]?.id ?? "" }, 1, "packed");
  await fill();
  return id;
}

const confirmPhone = (id: string) => manager.post(`/admin/customers/${id}/phone/confirm`, {});

/** Stores a record of every kind that the export contains. */
async function fillAccount(member: Member): Promise<void> {
  const { client, headers, email, phone } = member;
  await client.post("/addresses", anAddress, headers);
  await client.post("/wishlist", { product: "saanjh-sofa" }, headers);
  await aConversation(table, phone, await aPaidOrder(member));
  await confirmPhone(member.id);
  const lead = aLeadForm({ email, message: "Asha's own lead" });
  const { body } = await clientOf(baseUrl).post<Data<{ id: string }>>("/leads", lead);
  await manager.patch(`/admin/leads/${body.data.id}`, { notes: "Call her on Monday." });
  const upload = await uploadedPicture(clientOf(baseUrl));
  await askForQuote(baseUrl, [aBench()], { email, upload_ids: [upload] });
  await table.write(blockMail({ email, reason: "bounced", at: new Date().toISOString() }));
  await client.post("/newsletter", { email, consent: true }, headers);
  await table.write(put(ProvenEmails, { email, proven_at: new Date().toISOString() }));
  const alert = { email, kind: "price_drop" };
  await client.post("/products/kaveri-lounge-chair/notify", alert, headers);
  const reminder = { cart_id: newId("cart", new Date()), at: new Date().toISOString() };
  await table.write(markReminded(member.id, reminder));
  await manager.patch(`/admin/customers/${member.id}`, { notes: "Prefers mornings." });
}

describe("the export of a customer's data", () => {
  test("contains records of every kind, no secrets, and no data of other customers", async () => {
    const [member, other] = [await aVerifiedMember({ baseUrl, inbox }), await aMember(baseUrl)];
    await fillAccount(member);
    const { id: order_id } = (await listOrdersOf(table, `customer#${member.id}`, { limit: 1 }))
      .records[0]!;
    const note = "Scratched on the left";
    const picture = await uploadedPicture(clientOf(baseUrl));
    const items = [{ note, upload_ids: [picture] }];
    await table.write(put(StoredReturns, aReturn({ order_id, items })));
    const { status, body, text } = await ask(manager, member.id);
    expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
    expect(body.data).toMatchObject({ customer_id: member.id, exported_at: expect.any(String) });
    expect([...kindsIn(body.data)].toSorted()).toEqual(Object.keys(recordsOfCustomer).toSorted());
    const of = (kind: string) =>
      body.data.records.filter(({ record }) => record === kind).map(({ data }) => data);
    expect(of("customer")).toMatchObject([{ email: member.email, notes: "Prefers mornings." }]);
    expect(of("order")).toMatchObject([
      {
        customer: { id: member.id },
        transactions: [{}],
        shipments: [{}],
        returns: [{ items: [{ note }] }],
      },
    ]);
    expect(of("lead")).toMatchObject([
      { message: "Asha's own lead", notes: [{ text: "Call her on Monday." }] },
    ]);
    expect(of("fabric_upload")).toContainEqual(expect.objectContaining({ id: picture }));
    expect(of("message")).toMatchObject([{ text: "Namaste" }]);
    expect(text).not.toMatch(/"[a-z_]*(?:password|hash|token|secret|epoch)[a-z_]*":/);
    expect(text).not.toContain("argon2");
    expect(text).not.toContain(other.id);
  });

  test("shows an order as it is after a unit was refunded", async () => {
    const member = await aMember(baseUrl);
    const id = await aPaidOrder(member, 2);
    const line = (await table.get(Orders, { id }))?.items[0]?.id;
    const refund = { items: [{ id: line, quantity: 1 }], reason: "Scratched" };
    const key = { "idempotency-key": randomUUID() };
    const { status, text } = await manager.post(`/admin/orders/${id}/refunds`, refund, key);
    expect([status, status === 201 ? "" : text]).toEqual([201, ""]);
    const { body } = await ask(manager, member.id);
    expect(body.data.records.filter(({ record }) => record === "order")).toMatchObject([
      { data: { transactions: [{ type: "charge" }, { type: "refund" }] } },
    ]);
  });

  test("contains leads and quotes only if the customer has verified the email", async () => {
    const member = await aMember(baseUrl);
    await clientOf(baseUrl).post("/leads", aLeadForm({ email: member.email }));
    const { body } = await ask(manager, member.id);
    expect(kindsIn(body.data)).not.toContain("lead");
  });

  test("contains the conversation only if the phone is verified, even if an order with it was paid", async () => {
    const member = await aMember(baseUrl);
    await aConversation(table, member.phone, await aPaidOrder(member));
    expect(kindsIn((await ask(manager, member.id)).body.data)).not.toContain("conversation");
    await confirmPhone(member.id);
    expect(kindsIn((await ask(manager, member.id)).body.data)).toContain("conversation");
  });

  test.each([
    ["of seven megabytes is too large for Lambda, and names the command for operators", "x", 413],
    ["is too large if its quotes are, which Lambda's result escapes twice", '"', 413],
    ["of five megabytes is returned", "Asha ", 200],
  ])("%s", async (_what, text, status) => {
    const member = await aMember(baseUrl);
    const order_id = await aPaidOrder(member);
    const bytes = status === 200 ? 260_000 : text === "x" ? 360_000 : 110_000;
    const message = text.repeat(bytes / text.length);
    const at = new Date().toISOString();
    for (let position = 0; position < 20; position++) {
      const entry = { order_id, version: 9, position, at, type: "note", message, public: false };
      await table.write(put(OrderTimeline, entry));
    }
    const { status: answered, body } = await ask(manager, member.id);
    expect([answered, body.code]).toEqual([
      status,
      status === 413 ? "payload_too_large" : undefined,
    ]);
    if (status === 413) expect(body.message).toContain("npm run export-customer");
    else expect(JSON.stringify(body).length).toBeGreaterThan(5_000_000);
  });

  test("is recorded in the activity log", async () => {
    const { id } = await aMember(baseUrl);
    await ask(manager, id);
    const owner = await staffAs("owner");
    const log = await owner.get<Data<object[]>>(`/admin/activity?target=customer:${id}`);
    expect(log.body.data).toMatchObject([
      { action: "customer.export", actor: { id: manager.id }, target: { kind: "customer", id } },
    ]);
  });

  test("is refused without the permission orders.customers, and for an unknown customer", async () => {
    const { id } = await aMember(baseUrl);
    const refused = await ask(await staffAs("analyst"), id);
    expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
    expect(refused.body.details).toEqual({ permission: "orders.customers" });
    expect((await ask(manager, "cus_none")).status).toBe(404);
  });

  test("can also be created by an operator, from the customer's email address", async () => {
    const member = await aMember(baseUrl);
    const exported = await exportByEmail(table, member.email.toUpperCase(), new Date());
    expect(exported.customer_id).toBe(member.id);
    const unknown = exportByEmail(table, "nobody@example.com", new Date());
    await expect(unknown).rejects.toThrow("No customer has the email");
    const wrong = exportByEmail(table, "notamail", new Date());
    await expect(wrong).rejects.toThrow("notamail is not an email address.");
  });
});
