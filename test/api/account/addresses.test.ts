import { describe, expect, test } from "vitest";
import type { Address } from "#shared/domain/customer/address-book.ts";
import type { PublicCustomer } from "#shared/domain/customer/customer.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import { clientOf } from "#test/support/http/client.ts";
import { type Member, aMember } from "#test/support/people/members.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, aShopper, tally } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table } = await useShop();

type One = Data<Address> & Problem;

const home = {
  label: "Home",
  name: "Ravi Iyer",
  phone: "+91 98123 45678",
  line1: "4 Church Street",
  city: "Bengaluru",
  state: "Karnataka",
  postal_code: "560001",
  country: "IN",
  access: { floor: 2, lift: false },
};

const add = ({ client, headers }: Member, body: object = {}) =>
  client.post<One>("/addresses", { ...home, ...body }, headers);
const list = async ({ client, headers }: Member) =>
  (await client.get<Data<Address[]>>("/addresses", headers)).body.data;
const makeDefault = ({ client, headers }: Member, id: string) =>
  client.send<One>("POST", `/api/v1/addresses/${id}/default`, { headers });
const defaultsOf = async (member: Member) =>
  (await list(member)).filter(({ is_default }) => is_default).map(({ id }) => id);

/** Registers a customer with this many addresses. The ids are sorted, the oldest address first. */
async function withAddresses(count: number): Promise<{ member: Member; ids: string[] }> {
  const member = await aMember(baseUrl);
  const ids = [];
  for (let number = 1; number <= count; number++) {
    ids.push((await add(member, { label: `Number ${number}` })).body.data.id);
  }
  return { member, ids };
}

describe("an address", () => {
  test("has the name and phone of the account unless others are sent", async () => {
    const member = await aMember(baseUrl);
    const { client, headers } = member;
    const unnamed = { name: undefined, phone: undefined };
    const { body } = await client.get<Data<PublicCustomer>>("/auth/me", headers);
    const { name } = body.data;
    await client.put("/account/profile", { name, phone: home.phone }, headers);
    const bare = await add(member, unnamed);
    expect(bare.body.data).toMatchObject({ name, phone: "+919812345678" });
    await client.put("/account/profile", { name, phone: null }, headers);
    const without = await add(member, unnamed);
    expect([without.status, Object.keys(without.body.errors ?? {})]).toEqual([422, ["phone"]]);
    const own = await add(member, { ...unnamed, phone: "+919812345600" });
    expect(own.body.data).toMatchObject({ name, phone: "+919812345600" });
  });

  test("is stored with null for each omitted member", async () => {
    const member = await aMember(baseUrl);
    const { status, body, headers } = await add(member);
    expect([status, headers.get("etag")]).toEqual([201, '"v1"']);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^addr_/),
      ...home,
      phone: "+919812345678",
      line2: null,
      landmark: null,
      access: { floor: 2, lift: false, notes: null },
      is_default: true,
      version: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const path = `/addresses/${body.data.id}`;
    const read = await member.client.get<One>(path, member.headers);
    expect([read.status, read.body, read.headers.get("etag")]).toEqual([200, body, '"v1"']);
  });

  test("is replaced by PUT and merged by PATCH; null in a PATCH clears the member", async () => {
    const member = await aMember(baseUrl);
    const { id } = (await add(member)).body.data;
    const { label: _, access: __, ...bare } = home;
    const put = await member.client.put<One>(`/addresses/${id}`, bare, member.headers);
    expect([put.status, put.body.data.label, put.body.data.access]).toEqual([200, null, null]);
    const patch = await member.client.patch<One>(
      `/addresses/${id}`,
      { state: null, landmark: "Opposite the park" },
      member.headers,
    );
    expect(patch.body.data).toEqual({
      ...put.body.data,
      state: "Karnataka",
      landmark: "Opposite the park",
      version: 3,
      updated_at: expect.any(String),
    });
    const empty = await member.client.patch<One>(
      `/addresses/${id}`,
      { city: null },
      member.headers,
    );
    expect([empty.status, Object.keys(empty.body.errors ?? {})]).toEqual([422, ["city"]]);
  });

  test("is refused if its postal code is invalid in its country, even if only the country changes", async () => {
    const member = await aMember(baseUrl);
    const { id } = (await add(member)).body.data;
    const refused = await Promise.all([
      add(member, { postal_code: "ABC" }),
      member.client.put<One>(`/addresses/${id}`, { ...home, country: "US" }, member.headers),
      member.client.patch<One>(`/addresses/${id}`, { country: "US" }, member.headers),
    ]);
    for (const { status, body } of refused) {
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["postal_code"]]);
    }
  });

  test("is refused in a state that its PIN does not allow, at every write, with the states that it allows", async () => {
    const member = await aMember(baseUrl);
    const { id } = (await add(member)).body.data;
    const path = `/addresses/${id}`;
    const { client, headers } = member;
    const refused = await Promise.all([
      add(member, { state: "Kerala" }),
      client.put<One>(path, { ...home, state: "Kerala" }, headers),
      client.patch<One>(path, { state: "Kerala" }, headers),
    ]);
    for (const { status, body } of refused) {
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["state"]]);
      expect(body.details).toEqual({ allowed: ["Karnataka"] });
    }
    const moved = await client.patch<One>(path, { postal_code: "160017" }, headers);
    expect([moved.status, moved.body.details]).toEqual([
      422,
      { allowed: ["Chandigarh", "Punjab"] },
    ]);
  });

  test.each(["XX", "EU", "ZZ", "DD"])(
    "is refused with the invalid country code %s",
    async (country) => {
      const { status, body } = await add(await aMember(baseUrl), { country });
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["country"]]);
    },
  );

  test("cannot be read, changed or deleted by another customer, who gets 404", async () => {
    const { member, ids } = await withAddresses(1);
    const before = await list(member);
    const stranger = await aMember(baseUrl);
    const path = `/addresses/${ids[0]}`;
    const { client, headers } = stranger;
    const replies = await Promise.all([
      client.get<Problem>(path, headers),
      client.put<Problem>(path, home, headers),
      client.patch<Problem>(path, { label: "Mine" }, headers),
      client.delete<Problem>(path, headers),
      makeDefault(stranger, ids[0] ?? ""),
    ]);
    expect(tally(replies)).toEqual({ "404 not_found": 5 });
    expect(await list(member)).toEqual(before);
    expect(await list(stranger)).toEqual([]);
  });
});

describe("the customer's default address", () => {
  test("is the first address until the customer chooses another, and is listed first", async () => {
    const { member, ids } = await withAddresses(3);
    expect((await list(member)).map(({ id }) => id)).toEqual([ids[0], ids[2], ids[1]]);
    expect((await makeDefault(member, ids[1] ?? "")).body.data.is_default).toBe(true);
    expect((await list(member)).map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]]);
    const { id } = (await add(member, { is_default: true })).body.data;
    expect(await defaultsOf(member)).toEqual([id]);
  });

  test("is replaced by the newest remaining address when it is deleted", async () => {
    const { member, ids } = await withAddresses(3);
    const remove = (id = "") => member.client.delete(`/addresses/${id}`, member.headers);
    expect((await remove(ids[0])).status).toBe(204);
    expect(await defaultsOf(member)).toEqual([ids[2]]);
    await remove(ids[1]);
    expect(await defaultsOf(member)).toEqual([ids[2]]);
    await remove(ids[2]);
    expect(await list(member)).toEqual([]);
    expect((await remove(ids[2])).status).toBe(404);
    expect((await add(member)).body.data.is_default).toBe(true);
  });

  test("is exactly one address, even after concurrent requests to change it", async () => {
    const { member, ids } = await withAddresses(4);
    for (let round = 1; round <= 3; round++) {
      const replies = await Promise.all(ids.map((id) => makeDefault(member, id)));
      expect(tally(replies)).toEqual({ "200": 4 });
      expect(await defaultsOf(member)).toHaveLength(1);
    }
  });
});

test("a customer can store at most 20 addresses, even with concurrent requests", async () => {
  const { member } = await withAddresses(15);
  const replies = await Promise.all(Array.from({ length: 10 }, () => add(member)));
  expect(tally(replies)).toEqual({ "201": 5, "422 validation_failed": 5 });
  expect(await list(member)).toHaveLength(20);
  expect(await defaultsOf(member)).toHaveLength(1);
});

describe("checking out with `address_id`", () => {
  test("ships the order to the customer's address with that id", async () => {
    const { member, ids } = await withAddresses(1);
    const { sku } = await plantProduct(table);
    await member.client.post("/cart", { items: [{ sku, quantity: 1 }] }, member.headers);
    const { shipping_address: _, ...rest } = aCheckout({ email: member.email });
    const body = { ...rest, address_id: ids[0] };
    const reply = await member.client.post<Data<CheckoutAnswer>>("/checkout", body, member.headers);
    expect(reply.status, reply.text).toBe(201);
    const { addresses } = reply.body.data.order;
    expect(addresses.shipping).toEqual({
      name: "Ravi Iyer",
      phone: "+919812345678",
      line1: "4 Church Street",
      line2: null,
      landmark: null,
      city: "Bengaluru",
      state: "Karnataka",
      postal_code: "560001",
      country: "IN",
      access: { floor: 2, lift: false, notes: null },
    });
    expect(addresses.billing).toEqual(addresses.shipping);
  });

  test("is refused if the address belongs to another customer, and for guests", async () => {
    const { ids } = await withAddresses(1);
    const { sku } = await plantProduct(table);
    const { shipping_address: _, ...rest } = aCheckout({ address_id: ids[0] });
    const stranger = await aMember(baseUrl);
    await stranger.client.post("/cart", { items: [{ sku, quantity: 1 }] }, stranger.headers);
    const guest = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    for (const headers of [stranger.headers, guest.headers]) {
      const { status, body } = await clientOf(baseUrl).post<Problem>("/checkout", rest, headers);
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["address_id"]]);
    }
  });
});
