import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Activity } from "#shared/domain/staff/activity.ts";
import type { CustomerEntry, CustomerFile } from "#shared/domain/customer/admin-customer.ts";
import type { OrderSummary } from "#shared/domain/order/view/buyer-order.ts";
import type { InternationalPhone } from "#shared/domain/contact/international-phone.ts";
import { CustomerPhones } from "#shared/storage/customer/customers.ts";
import {
  aPassword,
  type Member,
  aMember,
  deleteAccount,
  logIn,
  statusOfToken,
} from "#test/support/people/members.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, aPerson, aShopper, otherwiseTyped } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world, staffAs } = await useShop();

const desk = await staffAs("order_desk");

type One = Data<CustomerFile> & Problem;
type List = { data: CustomerEntry[]; meta: { next_cursor: string | null } } & Problem;
type Orders = { data: OrderSummary[]; meta: { next_cursor: string | null } };

const pathOf = ({ id }: { id: string }) => `/admin/customers/${id}`;
const search = (q: string, more = "") =>
  desk.get<List>(`/admin/customers?q=${encodeURIComponent(q)}${more}`);
const idsOf = ({ body }: { body: List }) => body.data.map(({ id }) => id);

async function order(member: Member, sku: string): Promise<string> {
  const { client, headers, email, phone } = member;
  await client.post("/cart", { items: [{ sku, quantity: 1 }] }, headers);
  const body = aCheckout({ email, phone });
  const reply = await client.post<Data<{ order: { id: string } }>>("/checkout", body, headers);
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return reply.body.data.order.id;
}

describe("the staff list of customers", () => {
  test("shows the newest customers first, in pages", async () => {
    const [older, newer] = [await aMember(baseUrl), await aMember(baseUrl)];
    const { body } = await desk.get<List>("/admin/customers?per_page=100");
    const ids = body.data.map(({ id }) => id);
    expect(ids.indexOf(newer.id)).toBeLessThan(ids.indexOf(older.id));
    const page = await desk.get<List>("/admin/customers?per_page=1");
    const cursor = `cursor=${page.body.meta.next_cursor}`;
    const next = await desk.get<List>(`/admin/customers?per_page=1&${cursor}`);
    expect([page.body.data.length, next.body.data.length]).toEqual([1, 1]);
    expect(next.body.data[0]?.id).not.toBe(page.body.data[0]?.id);
    const foreign = await search("asha", `&${cursor}`);
    expect([foreign.status, Object.keys(foreign.body.errors ?? {})]).toEqual([422, ["cursor"]]);
  });

  test("can be searched by complete email, by complete phone in any format, and by name", async () => {
    const name = `Zoë ${randomUUID()}`;
    const member = await aMember(baseUrl, { name });
    for (const q of [
      member.email.toUpperCase(),
      member.phone,
      ...otherwiseTyped(member.phone),
      name.slice(0, 20).toUpperCase(),
    ]) {
      expect([q, idsOf(await search(q))]).toEqual([q, [member.id]]);
    }
    expect(idsOf(await search(member.email.slice(1)))).toEqual([]);
    expect(idsOf(await search(aPerson().phone))).toEqual([]);
  });

  test("finds words of the name or their beginnings in any order, without accents, as it is now", async () => {
    const mark = `q${randomUUID().slice(0, 8)}`;
    const member = await aMember(baseUrl, { name: `Zoë Müller-Özdemir ${mark}` });
    const other = await aMember(baseUrl, { name: `José D'Souza ${mark}` });
    const found = async (q: string) => idsOf(await search(`${q} ${mark}`));
    for (const q of [
      "Müller",
      "muller",
      "OZDEMIR zoe",
      "özd mü",
      "Mu\u0308ller",
      "\u202aZoë\u202c",
    ]) {
      expect([q, await found(q)]).toEqual([q, [member.id]]);
    }
    for (const q of ["jose", "dsouza", "souza jo"]) {
      expect([q, await found(q)]).toEqual([q, [other.id]]);
    }
    expect(await found("uller")).toEqual([]);
    expect(await found("muller jose")).toEqual([]);
    expect((await found("")).toSorted()).toEqual([member.id, other.id].toSorted());
    expect(idsOf(await search("—"))).toEqual([]);

    const first = await search(mark, "&per_page=1");
    const rest = await search(mark, `&per_page=1&cursor=${first.body.meta.next_cursor}`);
    expect([...idsOf(first), ...idsOf(rest)].toSorted()).toEqual([member.id, other.id].toSorted());
    const foreign = await search("zoe", `&cursor=${first.body.meta.next_cursor}`);
    expect([foreign.status, Object.keys(foreign.body.errors ?? {})]).toEqual([422, ["cursor"]]);

    await desk.patch(pathOf(member), { name: `Zoë Weiß ${mark}` });
    await other.client.put("/account/profile", { name: `Ana ${mark}`, phone: null }, other.headers);
    expect([await found("muller"), await found("jose")]).toEqual([[], []]);
    expect([await found("weiss"), await found("ana")]).toEqual([[member.id], [other.id]]);
    await deleteAccount(member, aPassword);
    expect(await found("weiss")).toEqual([]);
  });

  test("can be filtered by tag and by blocked status", async () => {
    const name = `Tagged ${randomUUID()}`;
    const [one, other] = [await aMember(baseUrl, { name }), await aMember(baseUrl, { name })];
    const tagged = await desk.patch<One>(pathOf(one), { tags: ["VIP", "vip", "Trade"] });
    expect(tagged.body.data.tags).toEqual(["trade", "vip"]);
    await desk.patch(pathOf(other), { disabled: true });
    expect(idsOf(await search(name, "&tag=Vip"))).toEqual([one.id]);
    expect(idsOf(await search(name, "&disabled=true"))).toEqual([other.id]);
    expect(idsOf(await search(name, "&disabled=false"))).toEqual([one.id]);
  });
});

test("the detail of a customer contains addresses and counts, but no secrets", async () => {
  const member = await aMember(baseUrl);
  const fresh = await desk.get<One>(pathOf(member));
  const { id, email, phone } = member;
  expect([fresh.status, fresh.headers.get("etag")]).toEqual([200, '"v1"']);
  expect(fresh.body.data).toEqual({
    ...member.answer.customer,
    id,
    email,
    phone,
    disabled: false,
    notes: null,
    tags: [],
    addresses: [],
    orders: { count: 0, unpaid: 0, last: null },
  });
  const { shipping_address: address } = aCheckout() as { shipping_address: object };
  await member.client.post("/addresses", { ...address, name: "Asha", phone }, member.headers);
  const { sku } = await plantProduct(world.table);
  const placed = [await order(member, sku), await order(member, sku)];
  const { data } = (await desk.get<One>(pathOf(member))).body;
  expect(data.addresses).toMatchObject([{ city: "Bengaluru", is_default: true }]);
  expect(data.orders).toMatchObject({ count: 2, unpaid: 2, last: { id: placed[1] } });
  expect((await desk.get("/admin/customers/cus_none")).status).toBe(404);
});

test("a customer's order list is paginated and contains no other customer's orders", async () => {
  const member = await aMember(baseUrl);
  const { sku } = await plantProduct(world.table);
  const placed = [await order(member, sku), await order(member, sku), await order(member, sku)];
  const guest = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  await guest.checkOut({ email: member.email, phone: member.phone });

  const list = `${pathOf(member)}/orders`;
  const page = await desk.get<Orders>(`${list}?per_page=2`);
  const rest = await desk.get<Orders>(`${list}?per_page=2&cursor=${page.body.meta.next_cursor}`);
  const ids = [...page.body.data, ...rest.body.data].map(({ id }) => id);
  expect(ids).toEqual(placed.toReversed());
  expect((await desk.get("/admin/customers/cus_none/orders")).status).toBe(404);
  const other = await aMember(baseUrl);
  const foreign = `${pathOf(other)}/orders?cursor=${page.body.meta.next_cursor}`;
  expect((await desk.get(foreign)).status).toBe(422);
});

describe("a change of a customer by staff", () => {
  test("sets name, phone, notes, tags and consent, is logged, and does not show the customer the notes", async () => {
    const member = await aMember(baseUrl);
    const { phone } = aPerson();
    const notes = "Prefers mornings.\nRing twice.";
    const changes = { name: "Asha Iyer", phone, notes, tags: ["vip"], marketing_opt_in: true };
    const { status, body, headers } = await desk.patch<One>(pathOf(member), changes);
    expect([status, headers.get("etag")]).toEqual([200, '"v2"']);
    // The consent does not subscribe the customer to the newsletter before the customer confirms the mailed link.
    expect(body.data).toMatchObject({ ...changes, preferences: { newsletter: false } });
    expect((await desk.get<One>(pathOf(member))).body).toEqual(body);
    expect(idsOf(await search(phone))).toEqual([member.id]);
    expect(idsOf(await search(member.phone))).toEqual([]);

    const own = await member.client.get<Data<object>>("/auth/me", member.headers);
    expect(own.body.data).toMatchObject({ name: "Asha Iyer", phone });
    expect(Object.keys(own.body.data)).not.toEqual(expect.arrayContaining(["notes"]));
    const renamed = { name: "Asha Rao", phone: null };
    await member.client.put("/account/profile", renamed, member.headers);
    const after = await desk.patch<One>(pathOf(member), { notes: null });
    expect(after.body.data).toMatchObject({ ...renamed, notes: null, tags: ["vip"], version: 4 });

    const owner = await staffAs("owner");
    const log = await owner.get<{ data: Activity[] }>(
      `/admin/activity?target=customer:${member.id}`,
    );
    expect(log.body.data.map(({ action }) => action)).toEqual([
      "customer.update",
      "customer.update",
    ]);
    expect(log.body.data[1]?.changes).toContainEqual({
      path: "name",
      from: "Ravi Iyer",
      to: "Asha Iyer",
    });
  });

  test("cannot change the email, and keeps all concurrent changes", async () => {
    const member = await aMember(baseUrl);
    const email = await desk.patch<Problem>(pathOf(member), { email: aPerson().email });
    expect([email.status, Object.keys(email.body.errors ?? {})]).toEqual([422, ["email"]]);
    const many = await Promise.all(
      ["a", "b", "c", "d"].map((name) => desk.patch<One>(pathOf(member), { name })),
    );
    expect(new Set(many.map(({ body }) => body.data.version))).toEqual(new Set([2, 3, 4, 5]));
  });

  test("can block the account, which ends its sessions and refuses logins until it is unblocked", async () => {
    const member = await aMember(baseUrl);
    const shut = await desk.patch<One>(pathOf(member), { disabled: true });
    expect(shut.body.data.disabled).toBe(true);
    expect(await statusOfToken(baseUrl, member.headers)).toBe(401);
    const refused = await logIn(baseUrl, member.email);
    const wrong = await logIn(baseUrl, member.email, "not the password");
    expect([refused.status, refused.body.errors]).toEqual([422, wrong.body.errors]);

    const opened = await desk.patch<One>(pathOf(member), { disabled: false });
    expect(opened.body.data).toMatchObject({ disabled: false, version: 3 });
    expect(await statusOfToken(baseUrl, member.headers)).toBe(401);
    expect((await logIn(baseUrl, member.email)).status).toBe(200);
  });
});

test("a deleted account is absent from lists and from searches by email and phone, and its detail returns 404", async () => {
  const name = `Leaving ${randomUUID()}`;
  const member = await aMember(baseUrl, { name });
  const { sku } = await plantProduct(world.table);
  await order(member, sku);
  const gone = await member.client.send("DELETE", "/api/v1/account", {
    headers: { ...member.headers, "content-type": "application/json" },
    body: JSON.stringify({ password: aPassword }),
  });
  expect(gone.status).toBe(204);
  for (const q of [name, member.email, member.phone]) {
    expect(idsOf(await search(q))).toEqual([]);
  }
  const row = { phone: member.phone as InternationalPhone, customer_id: member.id };
  expect(await world.table.get(CustomerPhones, row)).toBeUndefined();
  expect((await desk.get(pathOf(member))).status).toBe(404);
  expect((await desk.get(`${pathOf(member)}/orders`)).status).toBe(404);
});
