import { describe, expect, test } from "vitest";
import type { QuoteOffer } from "#shared/domain/enquiry/quote-view.ts";
import { ProvenEmails } from "#shared/storage/customer/proven-emails.ts";
import { Staff } from "#shared/storage/staff/staff.ts";
import { PublishedProducts, Stocks } from "#shared/storage/catalog/catalog.ts";
import { put, update } from "#shared/storage/writes.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import { aCheckout, aPublishedProduct, plantProduct } from "#test/support/shop/plant.ts";
import { type Reply, clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aMember } from "#test/support/people/members.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { type QuoteView, aBench, aLeadForm } from "#test/support/back-office/sales.ts";
import { aKey } from "#test/support/back-office/orders.ts";
import { type Data, aPerson } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world, inbox, staffAs } = await useShop({ effects: ["mail"] });

const { shipping_address } = aCheckout();
const caller = { name: "Asha Rao", phone: "+919845011223" };

const clerk = await staffAs("order_desk");
const seller = await staffAs("sales");

async function aChair() {
  const { product, sku } = await plantProduct(world.table, { units: 20 });
  return { sku, line: { product: product.slug, quantity: 2 } };
}

const begin = (by: StaffClient, body: object, key = aKey()) =>
  by.post<Data<QuoteView> & Problem>(
    "/admin/quotes",
    { customer: caller, channel: "phone", ...body },
    key,
  );
const change = (by: StaffClient, id: string, body: object) =>
  by.patch<Data<QuoteView> & Problem>(`/admin/quotes/${id}`, body);

describe("a quote that staff begin", () => {
  test("is in review at the catalog's prices, with the totals of a cart that is delivered there", async () => {
    const { line } = await aChair();
    const terms = { shipping_address, shipping_method: "white_glove", payment_plan: "full" };
    const { status, body, headers } = await begin(clerk, { items: [line], ...terms });
    expect(status).toBe(201);
    const { id, items } = body.data;
    expect(headers.get("location")).toBe(`/api/v1/admin/quotes/${id}`);
    expect(body.data).toMatchObject({
      ...caller,
      ...terms,
      status: "in_review",
      email: null,
      customer_id: null,
      consented_at: null,
      channel: "phone",
      sold_by: clerk.id,
      totals: { items_subtotal: 2_000_000, discount: 0, provisional: false },
    });
    expect(body.data.totals?.shipping).toEqual(expect.any(Number));
    expect(body.data.totals?.grand_total).toBe(2_000_000 + (body.data.totals?.shipping ?? 0));
    expect(items.map(({ regular_price, unit_price }) => [regular_price, unit_price])).toEqual([
      [1_000_000, 1_000_000],
    ]);
  });

  test("names a variant by its SKU alone, and refuses one that nothing has", async () => {
    const { sku, line } = await aChair();
    const { body } = await begin(clerk, { items: [{ sku, quantity: 1 }, line] });
    expect(body.data.items.map((item) => item.sku)).toEqual([sku, sku]);
    const unknown = await begin(clerk, { items: [{ sku: "NO-SUCH-SKU", quantity: 1 }] });
    expect(unknown.body.errors).toEqual({ "items.0.sku": ["There is no such product."] });
  });

  test("names a variant by its SKU after its product was renamed, even if another has the old slug", async () => {
    const { sku, product, stock_id } = await plantProduct(world.table, { units: 20 });
    const slug = `${product.slug}-renamed`;
    await world.table.transact([
      put(PublishedProducts, { ...product, slug }),
      put(PublishedProducts, { ...aPublishedProduct(), slug: product.slug }),
      update(Stocks, { id: stock_id }, { set: { "owner.slug": slug } }),
    ]);
    const { status, body, text } = await begin(clerk, { items: [{ sku, quantity: 1 }] });
    expect(status, text).toBe(201);
    expect(body.data.items).toMatchObject([{ sku, slug }]);
  });

  test("is for a customer with an account, or for anybody who can be reached", async () => {
    const member = await aMember(baseUrl);
    const [{ line }, someone] = [await aChair(), { name: "Asha Rao", email: "asha@example.com" }];
    const { body } = await begin(seller, { customer: { id: member.id }, items: [line] });
    const { customer_id, email, id } = body.data;
    expect([customer_id, email]).toEqual([member.id, member.email]);
    const moved = await change(seller, id, { customer: someone });
    expect(moved.body.data).toMatchObject({ customer_id: null, phone: null, ...someone });
    const refused: [object, string][] = [
      [{ id: "cus_01KE66PJA0M594E921BVM9D6BK" }, "customer.id"],
      [{ id: member.id, name: "Asha" }, "customer.id"],
      [{ name: "Asha" }, "customer.id"],
      [{ phone: caller.phone }, "customer.id"],
    ];
    for (const [customer, path] of refused) {
      const { status, body } = await begin(seller, { customer, items: [line] });
      expect([customer, status, Object.keys(body.errors ?? {})]).toEqual([customer, 422, [path]]);
    }
  });

  test("has a seller who may sell, and a channel", async () => {
    const body = { items: [(await aChair()).line] };
    const analyst = await staffAs("analyst");
    expect((await begin(seller, { ...body, sold_by: analyst.id })).body.errors).toHaveProperty([
      "sold_by",
    ]);
    expect((await begin(seller, { ...body, channel: undefined })).body.errors).toHaveProperty([
      "channel",
    ]);
  });

  test("has prices of its own only from staff who may set them", async () => {
    const { line } = await aChair();
    const permission = "orders.discount";
    const priced = [{ ...line, discount: { bps: 500, reason: "Two of them" } }];
    for (const items of [priced, [aBench({ unit_price: 500_000 })]]) {
      const { status, body } = await begin(clerk, { items });
      expect([status, body.details]).toEqual([403, { permission }]);
    }
    const { body } = await begin(seller, { items: priced });
    expect(body.data.items).toMatchObject([{ line_discount: 100_000, line_total: 1_900_000 }]);
    const { id, items } = body.data;
    const kept = await change(clerk, id, { items: [{ id: items[0]?.id }], note: "Ring twice" });
    expect(kept.body.data).toMatchObject({
      note: "Ring twice",
      items: [{ line_total: 1_900_000 }],
    });
    const larger = await change(clerk, id, { items: [{ id: items[0]?.id, quantity: 3 }] });
    expect([larger.status, larger.body.details]).toEqual([403, { permission }]);
  });

  test("takes the tax of the catalog for its lines, which staff set for custom items alone", async () => {
    const { line } = await aChair();
    const { status, body } = await begin(seller, {
      items: [{ ...line, tax_class: "cane_bamboo" }],
    });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["items.0.tax_class"]]);
    const bench = aBench({ unit_price: 500_000, tax_class: "cane_bamboo", hsn_code: "9403" });
    expect((await begin(seller, { items: [bench] })).status).toBe(201);
    const untaxed = await begin(seller, { items: [{ ...bench, tax_class: "nonsense" }] });
    expect(untaxed.body.errors).toHaveProperty(["items.0.tax_class"]);
    expect(untaxed.body.details).toMatchObject({
      allowed: expect.arrayContaining(["cane_bamboo"]),
    });
  });

  test("keeps what an edit leaves out, and loses what it sets to null", async () => {
    const { line } = await aChair();
    const slot = { date: "2030-01-10", window: "morning" };
    const { body } = await begin(seller, { items: [line], shipping_address, slot, note: "Ring" });
    const { id } = body.data;
    const { data } = (await change(seller, id, { note: null, shipping_method: "standard" })).body;
    expect(data).toMatchObject({ slot, note: null, shipping_method: "standard" });
    expect(data.shipping_address).toMatchObject({ line1: "4 Church Street" });
    const cleared = await change(seller, id, { shipping_address: null });
    expect(cleared.body.data).toMatchObject({ shipping_address: null, totals: { shipping: null } });
    const stored = await world.table.get(Quotes, { id });
    expect(stored).toMatchObject({ shipping_address: null, status: "in_review" });
  });

  test("refuses a tax number that is not of its billing address", async () => {
    const { line } = await aChair();
    const ofBihar = { tax_id: "10AAGCB7383J1ZL", shipping_address };
    const { status, body } = await begin(seller, { items: [line], ...ofBihar });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["tax_id"]]);
  });
});

describe("sending a quote", () => {
  const send = (id: string, via: string, key = aKey()) =>
    seller.post<Data<{ quote: QuoteView; url: string; whatsapp_url: string | null }> & Problem>(
      `/admin/quotes/${id}/send`,
      { via },
      key,
    );
  const tokenIn = (url: string) => new URL(url).searchParams.get("token") ?? "";
  const open = (id: string, url: string) =>
    clientOf(baseUrl).get<Data<QuoteOffer>>(`/quotes/${id}?token=${tokenIn(url)}`);
  const begun = async (more = {}) =>
    (await begin(seller, { items: [(await aChair()).line], ...more })).body.data.id;

  test("by link or WhatsApp needs no email, and only the newest link opens the quote", async () => {
    const id = await begun();
    const [first, second] = [
      (await send(id, "link")).body.data,
      (await send(id, "whatsapp")).body.data,
    ];
    expect([first.quote.revision, second.quote.revision]).toEqual([1, 1]);
    expect(first.whatsapp_url).toBeNull();
    const chat = new URL(second.whatsapp_url ?? "");
    expect([chat.host, chat.pathname]).toEqual(["wa.me", "/919845011223"]);
    expect(chat.searchParams.get("text")).toContain(second.url);
    expect((await open(id, first.url)).status).toBe(404);
    const offer = await open(id, second.url);
    expect(offer.body.data).toMatchObject({ status: "sent", totals: { grand_total: 2_000_000 } });
    expect(await inbox.mailsTo("asha@example.com")).toEqual([]);
  });

  test("once for one key answers the same link, which stays valid", async () => {
    const [id, key] = [await begun(), aKey()];
    const replies = await Promise.all([1, 2, 3].map(async () => send(id, "link", key)));
    const sent = replies.map(({ status, body }) => [
      status,
      body.data.quote.revision,
      body.data.url,
    ]);
    const url = replies[0]?.body.data.url ?? "";
    expect(sent).toEqual(sent.map(() => [200, 1, url]));
    expect(replies.map(({ headers }) => headers.get("location"))).toEqual([null, null, null]);
    expect((await open(id, url)).status).toBe(200);
    const other = await send(id, "whatsapp", key);
    expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
  });

  test("by link proves no email when the link is opened, because nothing was mailed", async () => {
    const email = aPerson().email;
    const id = await begun({ customer: { name: "Asha", email } });
    const { url } = (await send(id, "link")).body.data;
    expect((await open(id, url)).status).toBe(200);
    expect(await world.table.get(ProvenEmails, { email })).toBeUndefined();
  });

  test("to another customer needs a new link", async () => {
    const id = await begun();
    const { url } = (await send(id, "link")).body.data;
    const customer = { name: "Ravi", phone: "+919845011224" };
    const moved = await change(seller, id, { customer });
    expect(moved.body.data.status).toBe("in_review");
    expect((await open(id, url)).status).toBe(404);
  });

  test("is refused where it could not be ordered with its delivery or its payment plan", async () => {
    const sent = async (line: object, terms: object) => {
      const quote = await begin(clerk, { items: [line], shipping_address, ...terms });
      return clerk.post<Problem>(
        `/admin/quotes/${quote.body.data.id}/send`,
        { via: "link" },
        aKey(),
      );
    };
    const bed = { product: "vembanad-cane-bed", quantity: 1 };
    const byPost = await sent(bed, { shipping_method: "standard" });
    expect(byPost.body.errors).toHaveProperty("shipping_method");
    expect(byPost.body.details).toMatchObject({ allowed: expect.arrayContaining(["white_glove"]) });
    const inParts = await sent((await aChair()).line, { payment_plan: "deposit" });
    expect(inParts.body.errors).toEqual({
      payment_plan: ["This order cannot be paid in parts."],
    });
  });

  test("needs the address that it is sent to, and prices", async () => {
    const id = await begun();
    const unpriced = await begun({ items: [aBench()] });
    const noPhone = await begun({ customer: { name: "Asha", email: "asha.rao@example.com" } });
    const cases = [
      [id, "email", "email"],
      [noPhone, "whatsapp", "phone"],
      [unpriced, "link", "items.0.unit_price"],
    ] as const;
    for (const [id, via, path] of cases) {
      const { status, body } = await send(id, via);
      expect([via, status, Object.keys(body.errors ?? {})]).toEqual([via, 422, [path]]);
    }
  });

  test("moves the open lead of the quote to quoted, and leaves a closed one", async () => {
    const leadOf = async () => {
      const form = aLeadForm();
      return (await clientOf(baseUrl).post<Data<{ id: string }>>("/leads", form)).body.data.id;
    };
    const [open, lost] = [await leadOf(), await leadOf()];
    const reason = "Moved away";
    await seller.patch(`/admin/leads/${lost}`, { status: "lost", reason });
    for (const lead_id of [open, lost]) {
      expect((await send(await begun({ lead_id }), "link")).status).toBe(200);
    }
    const statusOf = async (id: string) =>
      (await seller.get<Data<{ status: string }>>(`/admin/leads/${id}`)).body.data.status;
    expect([await statusOf(open), await statusOf(lost)]).toEqual(["quoted", "lost"]);
  });

  test("lets staff accept it for the customer, once it was sent", async () => {
    const id = await begun();
    const accept = (body: object) =>
      clerk.post<Data<QuoteView> & Problem>(`/admin/quotes/${id}/accept`, body);
    const early = await accept({ by: "phone" });
    expect([early.status, early.body.details]).toEqual([
      409,
      { from: "in_review", to: "accepted", allowed: ["sent", "declined"] },
    ]);
    const { url } = (await send(id, "link")).body.data;
    const note = "Asked for delivery after six.";
    const accepted = (await accept({ by: "phone", note })).body.data;
    expect(accepted).toMatchObject({
      status: "accepted",
      accepted_by: "phone",
      notes: [{ text: note }],
    });
    const again = (await accept({ by: "showroom" })).body.data;
    expect([again.accepted_by, again.version]).toEqual(["phone", accepted.version]);
    expect((await open(id, url)).body.data.status).toBe("accepted");
    expect((await accept({ by: "link" })).status).toBe(422);
  });
});

test("who may sell or assign sees the active colleagues, by name alone", async () => {
  const gone = await staffAs("sales");
  const stored = await gone.stored();
  await world.table.write(put(Staff, { ...stored, status: "disabled" }));
  type Page = Data<{ id: string; name: string }[]> & { meta: { next_cursor: string | null } };
  const seen: Page["data"] = [];
  let after: string | null = "";
  while (after !== null) {
    const query: string = `per_page=100${after && `&cursor=${after}`}`;
    const page: Reply<Page> = await clerk.get<Page>(`/admin/colleagues?${query}`);
    seen.push(...page.body.data);
    after = page.body.meta.next_cursor;
  }
  const ids = seen.map(({ id }) => id);
  expect(ids).toContain(seller.id);
  expect(ids).not.toContain(gone.id);
  expect(Object.keys(seen[0] ?? {})).toEqual(["id", "name"]);
});

test("an edit of an item by its id is refused at what names another item", async () => {
  const { items, id } = (await begin(clerk, { items: [(await aChair()).line] })).body.data;
  for (const other of [{ sku: "A-1" }, { product: "a-chair" }, { sofa: "a-sofa" }]) {
    const { status, body } = await change(clerk, id, { items: [{ id: items[0]?.id, ...other }] });
    const [name = ""] = Object.keys(other);
    const errors = { [`items.0.${name}`]: [expect.stringContaining(`Leave out the ${name}`)] };
    expect([status, body.errors]).toEqual([422, errors]);
  }
});
