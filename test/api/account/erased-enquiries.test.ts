import { describe, expect, test } from "vitest";
import type { Lead, LeadSummary } from "#shared/domain/enquiry/lead.ts";
import type { QuoteSummary } from "#shared/domain/enquiry/quote-view.ts";
import type { EnquiryReceipt } from "#shared/domain/enquiry/enquiry.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import { FabricUploads } from "#shared/storage/upload/fabric-uploads.ts";
import { ProvenEmails, proveEmail } from "#shared/storage/customer/proven-emails.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { FollowUps, followUpList } from "#shared/storage/enquiry/follow-ups.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import { clientOf } from "#test/support/http/client.ts";
import {
  aPassword,
  type Member,
  aMember,
  aVerifiedMember,
  deleteAccount,
  verifyEmail,
} from "#test/support/people/members.ts";
import { orderDesk } from "#test/support/back-office/orders.ts";
import { aCheckout } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import {
  type QuoteView,
  aBench,
  aLeadForm,
  askForQuote,
  sendQuote,
} from "#test/support/back-office/sales.ts";
import { type Data, aPerson } from "#test/support/shop/shopping.ts";
import { uploadedPicture } from "#test/support/shop/uploads.ts";
import type * as z from "zod";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, world, inbox, staffAs } = await useShop({
  effects: ["mail", "media"],
});

type LeadView = z.output<typeof Lead>;

const { table } = world;
const staff = await staffAs("sales");

const verified = () => aVerifiedMember({ baseUrl, inbox });
const erase = (member: Member) => deleteAccount(member, aPassword);

async function aLead(form: Record<string, unknown>): Promise<EnquiryReceipt> {
  const { status, body, text } = await clientOf(baseUrl).post<Data<EnquiryReceipt>>(
    "/leads",
    aLeadForm(form),
  );
  if (status !== 201) throw new Error(text);
  return body.data;
}
const leadOf = async (id: string) =>
  (await staff.get<Data<LeadView>>(`/admin/leads/${id}`)).body.data;
const quoteOf = async (id: string) =>
  (await staff.get<Data<QuoteView>>(`/admin/quotes/${id}`)).body.data;
const editLead = (id: string, patch: object) =>
  staff.patch<Data<LeadView> & Problem>(`/admin/leads/${id}`, patch);
const editQuote = (id: string, patch: object) =>
  staff.patch<Data<QuoteView> & Problem>(`/admin/quotes/${id}`, patch);

const nobody = {
  name: "Erased",
  email: null,
  phone: null,
  message: null,
  postal_code: null,
  follow_up_at: null,
  notes: [],
  erased_at: expect.any(String),
};

describe("deleting an account with a verified email", () => {
  test("takes its open leads off the list of follow-ups", async () => {
    const member = await verified();
    const { id } = await aLead({ email: member.email });
    const follow_up_at = "2029-05-04T10:00:00+05:30";
    await editLead(id, { follow_up_at });
    const listed = () => table.page(FollowUps, { partition: followUpList, prefix: "2029-05-04" });
    expect((await listed()).records).toEqual([{ id }]);
    expect(await erase(member)).toBe(204);
    expect((await listed()).records).toEqual([]);
  });

  test("erases personal data from leads with that email and keeps the data that metrics need", async () => {
    const member = await verified();
    const { id, reference } = await aLead({
      email: member.email.toUpperCase(),
      type: "bulk",
      postal_code: "560001",
      products: ["saanjh-sofa"],
      source: { page: "/sofas?for=asha", utm_source: "newsletter" },
    });
    await editLead(id, { status: "contacted", notes: "Called her at home." });
    await editLead(id, { status: "lost", reason: "Asha moves to Pune." });
    const before = await leadOf(id);
    expect(before.notes).toHaveLength(1);

    expect(await erase(member)).toBe(204);
    expect(await leadOf(id)).toEqual({
      ...before,
      ...nobody,
      configuration: null,
      lost_reason: null,
      source: { ...before.source, page: "/sofas" },
      version: before.version + 1,
      updated_at: expect.any(String),
    });
    expect(before).toMatchObject({ type: "bulk", status: "lost", products: ["saanjh-sofa"] });

    const found = async (q: string) =>
      (await staff.get<Data<z.output<typeof LeadSummary>[]>>(`/admin/leads?q=${q}`)).body.data;
    expect(await found(member.email)).toEqual([]);
    expect(await found(reference)).toMatchObject([{ id, name: "Erased", type: "bulk" }]);
  });

  test("erases personal data from quotes with that email, invalidates their links and erases what opening them proved", async () => {
    const member = await verified();
    const upload = await uploadedPicture(clientOf(baseUrl));
    const custom = { title: "Bench for Asha", description: "For 4 Church Street" };
    const { email } = member;
    const asked = await askForQuote(baseUrl, [aBench({ custom })], {
      email,
      upload_ids: [upload],
    });
    await editQuote(asked.id, { shipping_note: "To the third floor", notes: "A friend of Ravi." });
    const { token } = await sendQuote({ staff, inbox }, asked.id, 700_000);
    const before = await quoteOf(asked.id);
    await clientOf(baseUrl).get(`/quotes/${asked.id}?token=${token}`);
    expect(await table.get(ProvenEmails, { email })).toBeDefined();

    expect(await erase(member)).toBe(204);
    expect(await table.get(ProvenEmails, { email })).toBeUndefined();
    const after = await quoteOf(asked.id);
    expect(after).toEqual({
      ...before,
      ...nobody,
      shipping_note: null,
      upload_ids: [],
      items: before.items.map((item) => ({ ...item, name: "Erased", description: null })),
      version: before.version + 1,
      updated_at: expect.any(String),
    });
    expect(after).toMatchObject({ status: "sent", totals: { items_subtotal: 1_400_000 } });

    const visitor = clientOf(baseUrl);
    const path = `/quotes/${asked.id}`;
    const answers = await Promise.all([
      visitor.get(`${path}?token=${token}`),
      visitor.post(`${path}/accept`, { token }),
      visitor.post(`${path}/decline`, { token }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const listed = await staff.get<Data<z.output<typeof QuoteSummary>[]>>(
      `/admin/quotes?q=${asked.reference}`,
    );
    expect(listed.body.data).toMatchObject([
      { id: asked.id, name: "Erased", totals: after.totals },
    ]);
    // The picture expires, because it no longer belongs to an enquiry.
    const left = await table.get(FabricUploads, { id: upload });
    expect(left?.expires_at).toEqual(expect.any(String));
  });

  test.each([true, false])(
    "leaves no proof of an earlier email of the account, whether the new one was verified (%s) or not",
    async (isVerified) => {
      const [member, { email }] = [await verified(), aPerson()];
      await proveEmail({ table, log: { error: () => undefined } }, member.email, new Date());
      const wish = { name: "Ravi Iyer", phone: null, email, current_password: aPassword };
      expect((await member.client.put("/account/profile", wish, member.headers)).status).toBe(200);
      if (isVerified) await verifyEmail({ ...member, email }, inbox);
      expect(await erase(member)).toBe(204);
      expect(await table.get(ProvenEmails, { email: member.email })).toBeUndefined();
    },
  );

  test("keeps a quote whose order is active, and erases a quote whose order was cancelled", async () => {
    const [first, second] = await Promise.all([converted(), converted()]);
    await orderDesk(baseUrl, environment).cancel(second.order_id);
    const before = await quoteOf(first.id);
    expect(await erase(first.member)).toBe(204);
    expect(await erase(second.member)).toBe(204);
    expect(await quoteOf(first.id)).toEqual(before);
    expect((await table.get(Orders, { id: first.order_id }))?.customer.email).toBe(
      first.member.email,
    );
    expect(await quoteOf(second.id)).toMatchObject(nobody);
    // The quote keeps its status, so the metrics do not change.
    expect((await table.get(Quotes, second))?.status).toBe("converted");
  });

  async function converted() {
    const member = await verified();
    const { email } = member;
    const { id } = await askForQuote(baseUrl, [aBench()], { email });
    const { token } = await sendQuote({ staff, inbox }, id, 700_000, {});
    const guest = clientOf(baseUrl);
    const accepted = await guest.post<Data<Cart>>(`/quotes/${id}/accept`, { token });
    const checkout = aCheckout({ email });
    const headers = { "x-cart-token": accepted.body.data.token ?? "" };
    const placed = await guest.post<Data<{ order: { id: string } }>>(
      "/checkout",
      checkout,
      headers,
    );
    return { member, id, order_id: placed.body.data.order.id };
  }

  test("still lets staff edit the erased leads and quotes, but not add personal data to them", async () => {
    const member = await verified();
    const lead = await aLead({ email: member.email });
    const quote = await askForQuote(baseUrl, [aBench()], { email: member.email });
    expect(await erase(member)).toBe(204);

    const whose = { name: "Asha", email: member.email, phone: member.phone, notes: "It was Asha." };
    for (const reply of [await editLead(lead.id, whose), await editQuote(quote.id, whose)]) {
      expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([
        422,
        ["name", "email", "phone", "notes"],
      ]);
    }
    const lost = await editLead(lead.id, { status: "lost", reason: "Account deleted" });
    expect(lost.body.data).toMatchObject({ status: "lost", email: null });
    expect((await editQuote(quote.id, { status: "in_review" })).status).toBe(200);
    const items = (await quoteOf(quote.id)).items.map(({ id }) => ({ id, unit_price: 1 }));
    const sent = await editQuote(quote.id, { items, status: "sent" });
    expect([sent.status, Object.keys(sent.body.errors ?? {})]).toEqual([422, ["email"]]);
  });

  test("erases a lead or quote whose email staff changed to the account's email, and keeps one whose email they changed to another", async () => {
    const [typed, corrected] = await Promise.all([verified(), verified()]);
    const lead = await aLead({ email: typed.email });
    const quote = await askForQuote(baseUrl, [aBench()], { email: typed.email });
    await editLead(lead.id, { email: corrected.email });
    await editQuote(quote.id, { email: corrected.email });
    expect(await erase(typed)).toBe(204);
    expect([await leadOf(lead.id), await quoteOf(quote.id)]).toMatchObject([
      { email: corrected.email, erased_at: null },
      { email: corrected.email, erased_at: null },
    ]);
    expect(await erase(corrected)).toBe(204);
    expect([await leadOf(lead.id), await quoteOf(quote.id)]).toMatchObject([nobody, nobody]);
  });
});

test("deleting an account with an unverified email, or with a matching phone only, erases no leads or quotes", async () => {
  const member = await aMember(baseUrl);
  const { email, phone } = member;
  const lead = await aLead({ email, phone });
  const quote = await askForQuote(baseUrl, [aBench()], { email, phone });
  const proven = await verified();
  const byPhone = await aLead({ phone: proven.phone });
  const before = await Promise.all([leadOf(lead.id), quoteOf(quote.id), leadOf(byPhone.id)]);
  expect(await erase(member)).toBe(204);
  expect(await erase(proven)).toBe(204);
  expect(await Promise.all([leadOf(lead.id), quoteOf(quote.id), leadOf(byPhone.id)])).toEqual(
    before,
  );
});
