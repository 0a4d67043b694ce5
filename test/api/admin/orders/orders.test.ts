import { describe, expect, test } from "vitest";
import type { Activity } from "#shared/domain/staff/activity.ts";
import type { TrackedOrder } from "#shared/domain/order/view/buyer-order.ts";
import type { AdminOrder, AdminOrderSummary } from "#shared/domain/order/view/admin-order.ts";
import { clientOf } from "#test/support/http/client.ts";
import { type DeskOrder, aKey } from "#test/support/back-office/orders.ts";
import { beginQuote } from "#test/support/back-office/sales.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, aPerson, otherwiseTyped } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world, desk, staffAs } = await useShop();

const staff = await staffAs("order_desk");

type One = Data<AdminOrder> & Problem;
type Page = Data<AdminOrderSummary[]> & { meta: { next_cursor: string | null } } & Problem;

const pathOf = ({ id }: { id: string }) => `/admin/orders/${id}`;
const read = async (order: { id: string }) => (await staff.get<One>(pathOf(order))).body.data;
const patch = (order: { id: string }, body: object, headers: Record<string, string> = {}) =>
  staff.patch<One>(pathOf(order), body, headers);
const list = (query: string) => staff.get<Page>(`/admin/orders?${query}`);
const found = async (query: Record<string, string>) =>
  (await list(new URLSearchParams(query).toString())).body.data.map(({ id }) => id);
const today = new Date().toISOString().slice(0, 10);
const dayAway = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe("the staff list of orders", () => {
  test("returns order summaries, newest first, paginated by cursor", async () => {
    const [older, newer] = [await desk.place("cod"), await desk.place("bank_transfer")];
    const page = await list("per_page=100");
    const ids = page.body.data.map(({ id }) => id);
    expect(ids.indexOf(newer.id)).toBeLessThan(ids.indexOf(older.id));
    const placed = page.body.data.map(({ placed_at }) => placed_at);
    expect(placed).toEqual(placed.toSorted().toReversed());
    const { order } = await newer.read();
    expect(page.body.data.find(({ id }) => id === newer.id)).toEqual({
      id: newer.id,
      number: newer.number,
      status: "pending_payment",
      payment_status: "awaiting_transfer",
      payment_method: "bank_transfer",
      customer: order.customer,
      currency: "INR",
      coupon_code: null,
      channel: "web",
      location: null,
      sold_by: null,
      tags: [],
      version: 1,
      placed_at: order.placed_at,
      updated_at: order.updated_at,
      city: "Bengaluru",
      item_count: 2,
      totals: { grand_total: newer.total, paid: 0, refunded: 0, due: newer.total },
      attention: [],
      invoice_number: null,
      promised: order.shipping.promised,
    });
    await desk.place("cod");
    const first = await list("per_page=1&status=confirmed");
    const next = `cursor=${first.body.meta.next_cursor}`;
    const second = await list(`per_page=1&status=confirmed&${next}`);
    expect(second.body.data[0]?.placed_at).toBeDefined();
    expect(second.body.data[0]?.id).not.toBe(first.body.data[0]?.id);
    for (const query of [`status=shipped&${next}`, next, `status=confirmed&${next}A`]) {
      const foreign = await list(query);
      expect([foreign.status, Object.keys(foreign.body.errors ?? {})]).toEqual([422, ["cursor"]]);
    }
  });

  test("finds an order by number, by email, or by phone in any format", async () => {
    const [order, other] = [await desk.place("cod"), await desk.place("cod")];
    const { phone } = (await order.read()).order.customer;
    const bare = order.number.replaceAll("-", "").slice(2).toLowerCase();
    for (const q of [order.number, bare, ` ${order.number} `, order.email.toUpperCase(), phone]) {
      expect([q, await found({ q })]).toEqual([q, [order.id]]);
    }
    expect((await list(`q=${phone}`)).body.data.map(({ id }) => id)).toEqual([order.id]);
    for (const q of otherwiseTyped(phone)) expect([q, await found({ q })]).toEqual([q, [order.id]]);
    expect(await found({ q: order.email, status: "shipped" })).toEqual([]);
    expect(await found({ q: order.number, status: "shipped" })).toEqual([]);
    expect(await found({ q: "nobody like that" })).toEqual([]);
    expect(other.id).not.toBe(order.id);
  });

  test("can be filtered by status, payment status and attention flag", async () => {
    const order = await desk.place("bank_transfer");
    const { email } = order;
    expect(await found({ q: email, payment_status: "awaiting_transfer" })).toEqual([order.id]);
    expect(await found({ q: email, payment_status: "paid" })).toEqual([]);
    const open = async () => found({ status: "pending_payment", per_page: "100" });
    expect(await open()).toContain(order.id);
    const part = { amount: 1, method: "bank_transfer", reference: order.id };
    await staff.post(`${pathOf(order)}/payments`, part, aKey());
    const marked = async () => found({ attention: "1", per_page: "100" });
    expect(await marked()).toContain(order.id);
    const { body } = await patch(order, { attention: [] });
    expect(body.data.attention).toEqual([]);
    expect(await marked()).not.toContain(order.id);
    const manager = await staffAs("manager");
    expect((await manager.patch(pathOf(order), { status: "cancelled" })).status).toBe(200);
    expect(await open()).not.toContain(order.id);
    expect(await found({ status: "cancelled", per_page: "100" })).toContain(order.id);
  });

  test("can be filtered by several states, and by tag, SKU, payment method and sale", async () => {
    const order = await desk.place("cod");
    await patch(order, { tags: ["gift"] });
    const cases: [Record<string, string>, Record<string, string>][] = [
      [{ status: "shipped,confirmed" }, { status: "shipped,cancelled" }],
      [{ tag: "gift" }, { tag: "gif" }],
      [{ sku: order.sku }, { sku: `${order.sku}-2` }],
      [{ payment_method: "cod" }, { payment_method: "gateway" }],
      [{ channel: "web" }, { channel: "phone" }],
      [{}, { location: "indiranagar" }],
      [{}, { sold_by: staff.id }],
      [{}, { coupon: "welcome10" }],
    ];
    for (const [right, wrong] of cases) {
      expect([right, await found({ q: order.email, ...right })]).toEqual([right, [order.id]]);
      expect([wrong, await found({ q: order.email, ...wrong })]).toEqual([wrong, []]);
    }
    const { status, body } = await list("status=confirmed,sent");
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["status"]]);
  });

  test("finds what a user has sold at a location", async () => {
    const { phone } = aPerson();
    const { product } = await plantProduct(world.table);
    const quote = await beginQuote(staff, {
      customer: { name: "Asha Rao", phone },
      items: [{ product: product.slug, quantity: 1 }],
      location: "indiranagar",
    });
    const placed = await staff.post<Data<{ order: AdminOrder }>>(
      `/admin/quotes/${quote.id}/place`,
      { payment: { method: "cod" } },
    );
    const { id } = placed.body.data.order;
    const sold = { channel: "phone", location: "indiranagar", sold_by: staff.id };
    expect(await found({ ...sold, per_page: "100" })).toContain(id);
    const { data } = (await list(`q=${encodeURIComponent(phone)}`)).body;
    expect(data).toMatchObject([{ id, ...sold }]);
  });

  test("begins with the oldest order if it is sorted so, and a search by name is not", async () => {
    const [older, newer] = [await desk.place("cod"), await desk.place("cod")];
    const query = `sort=placed_at&status=confirmed&per_page=100&from=${today}`;
    const { data } = (await list(query)).body;
    const ids = data.map(({ id }) => id);
    expect(ids.indexOf(older.id)).toBeGreaterThanOrEqual(0);
    expect(ids.indexOf(older.id)).toBeLessThan(ids.indexOf(newer.id));
    const named = await list("sort=placed_at&q=asha");
    expect([named.status, Object.keys(named.body.errors ?? {})]).toEqual([422, ["sort"]]);
  });

  test.each([
    ["cod", "cod_pending"],
    ["bank_transfer", "awaiting_transfer"],
    ["gateway", "pending"],
  ] as const)(
    "lists an unpaid %s order as failed, no longer as %s, once it is cancelled",
    async (method, waiting) => {
      const order = await desk.place(method);
      const { email: q, number } = order;
      expect(await found({ q, payment_status: waiting })).toEqual([order.id]);
      const { body } = await patch(order, { status: "cancelled" });
      expect(body.data).toMatchObject({ payment_status: "failed", totals: { due: 0, paid: 0 } });
      expect(await found({ q, payment_status: waiting })).toEqual([]);
      expect(await found({ q, payment_status: "failed" })).toEqual([order.id]);
      const track = `/orders/track/${number}?email=${q}`;
      const tracked = await clientOf(baseUrl).get<Data<TrackedOrder>>(track);
      expect(tracked.body.data).toMatchObject({ payment_status: "failed", totals: { due: 0 } });
    },
  );

  test("shows `failed` and no amount due for an unpaid order that expired or was returned", async () => {
    const [expired, refused] = [await desk.place("bank_transfer"), await desk.place("cod")];
    await desk.expire(expired.id);
    await desk.send(refused, 2);
    expect((await read(refused)).payment_status).toBe("cod_pending");
    await desk.bringBack(refused);
    for (const order of [expired, refused]) {
      expect(await read(order)).toMatchObject({ payment_status: "failed", totals: { due: 0 } });
    }
  });

  test("contains only orders of the requested days", async () => {
    const { id, email: q, number } = await desk.place("cod");
    expect(await found({ q, from: dayAway(-1), to: dayAway(1) })).toEqual([id]);
    expect(await found({ q, to: dayAway(-2) })).toEqual([]);
    expect(await found({ q: number, from: dayAway(2) })).toEqual([]);
    expect(await found({ from: dayAway(-1), per_page: "100" })).toContain(id);
    expect(await found({ to: dayAway(-2), from: dayAway(-2), per_page: "100" })).not.toContain(id);
  });

  test.each([
    ["status", "status=lost"],
    ["payment_status", "payment_status=rich"],
    ["from", "from=2026-02-30"],
    ["to", `from=${today}&to=2020-01-01`],
    ["attention", "attention=yes"],
    ["sort", "sort=name"],
  ])("refuses an invalid %s with 422", async (member, query) => {
    const { status, body } = await list(query);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [member]]);
  });
});

describe("an order in the back office", () => {
  test("contains every member except the guest's access token", async () => {
    const order = await desk.place("cod", { quantity: 3 });
    const reply = await staff.get<One>(pathOf(order));
    expect([reply.status, reply.headers.get("etag")]).toEqual([200, '"v1"']);
    expect(reply.body.data).toMatchObject({
      number: order.number,
      status: "confirmed",
      payment_status: "cod_pending",
      allowed_transitions: ["ready_to_dispatch", "cancelled"],
      items: [{ units: { ordered: 3, open: 3, packed: 0, taken_off: 0 } }],
      totals: { grand_total: order.total, due: order.total },
      shipments: [],
      transactions: [],
      timeline: [{ type: "placed" }, { type: "confirmed" }],
      invoice: null,
      notes: null,
      tags: [],
      attention: [],
    });
    const { access_token_hash } = (await order.read()).order;
    expect(access_token_hash).not.toBe(null);
    expect(Object.keys(reply.body.data)).not.toContain("access_token_hash");
    expect(Object.keys(reply.body.data)).not.toContain("counted");
    expect((await staff.get("/admin/orders/ord_none")).status).toBe(404);
  });

  test("accepts new staff notes; a PATCH that changes nothing has no effect, and an outdated If-Match returns 412", async () => {
    const order = await desk.place("cod");
    const words = { notes: "Call before noon.\nSecond floor.", tags: ["vip", "gift", "vip"] };
    const { body } = await patch(order, words, { "if-match": '"v1"' });
    expect(body.data).toMatchObject({ notes: words.notes, tags: ["vip", "gift"], version: 2 });
    expect((await patch(order, { tags: ["vip", "gift"] })).body.data.version).toBe(2);
    const stale = await patch(order, { notes: null }, { "if-match": '"v1"' });
    expect([stale.status, stale.body.details]).toEqual([412, { current_version: 2 }]);
    const both = await patch(order, { notes: null, status: "ready_to_dispatch" });
    expect(both.body.data).toMatchObject({ notes: null, status: "ready_to_dispatch", version: 3 });
    // A step that is done is no edit: its repeat succeeds, whatever version it names.
    const done = await patch(order, { status: "ready_to_dispatch" }, { "if-match": '"v1"' });
    expect([done.status, done.body.data.version]).toEqual([200, 3]);
    const more = { status: "ready_to_dispatch", notes: null };
    expect((await patch(order, more, { "if-match": '"v1"' })).status).toBe(412);

    const owner = await staffAs("owner");
    const log = await owner.get<Data<Activity[]>>(`/admin/activity?target=order:${order.id}`);
    expect(log.body.data.map(({ action }) => action)).toEqual(["order.move", "order.update"]);
    expect(log.body.data[0]?.changes).toContainEqual({
      path: "status",
      from: "confirmed",
      to: "ready_to_dispatch",
    });
    expect(log.body.data[0]?.target.label).toBe(order.number);
  });

  test("accepts a change of address and contact until it is shipped", async () => {
    const order = await desk.place("bank_transfer", { quantity: 1 });
    const before = (await order.read()).order;
    const customer = { name: "Ravi Rao", ...aPerson() };
    const shipping = {
      line1: "9 Brigade Road",
      city: "Bengaluru",
      postal_code: "560025",
      country: "IN",
    };
    const { status, body } = await patch(order, { customer, addresses: { shipping } });
    expect([status, body.data]).toMatchObject([
      200,
      {
        customer: { id: null, ...customer },
        addresses: {
          shipping: { ...shipping, name: customer.name, phone: customer.phone, line2: null },
          billing: before.addresses.billing,
        },
        totals: before.totals,
      },
    ]);
    expect(await found({ q: customer.email })).toEqual([order.id]);
    expect(await found({ q: customer.phone })).toEqual([order.id]);
    expect(await found({ q: String(before.customer.email) })).toEqual([]);
    expect(await found({ q: before.customer.phone })).toEqual([]);
    // Cancelling must decrement the counters of the old email and phone, which include the order.
    expect((await patch(order, { status: "cancelled" })).status).toBe(200);
  });

  test("merges the sent members of an address into the stored address", async () => {
    const order = await desk.place("bank_transfer");
    const path = {
      shipping: { line2: "Flat 4", access: { floor: 3 } },
      billing: { landmark: "Park" },
    };
    const { addresses } = (await order.read()).order;
    const { body } = await patch(order, { addresses: path });
    expect(body.data.addresses).toEqual({
      shipping: {
        ...addresses.shipping,
        line2: "Flat 4",
        access: { lift: null, notes: null, ...addresses.shipping.access, floor: 3 },
      },
      billing: { ...addresses.billing, landmark: "Park" },
    });
    expect((await patch(order, { addresses: path })).body.data.version).toBe(2);
    const cleared = await patch(order, { addresses: { shipping: { line2: null } } });
    expect(cleared.body.data.addresses.shipping).toMatchObject({
      line2: null,
      access: { floor: 3 },
    });
    const wrong = { shipping: { city: null }, billing: { postal_code: "12" } };
    const refused = await patch(order, { addresses: wrong });
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([
      422,
      ["addresses.shipping.city"],
    ]);
    const code = await patch(order, { addresses: { billing: { postal_code: "12" } } });
    expect(Object.keys(code.body.errors ?? {})).toEqual(["addresses.billing.postal_code"]);
  });

  test("refuses a state that the PIN does not allow, and names those that it allows", async () => {
    const order = await desk.place("cod");
    for (const kind of ["shipping", "billing"] as const) {
      const { status, body } = await patch(order, { addresses: { [kind]: { state: "Kerala" } } });
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [`addresses.${kind}.state`]]);
      expect(body.details).toEqual({ allowed: ["Karnataka"] });
    }
    const named = await patch(order, { addresses: { shipping: { state: "ka" } } });
    expect(named.body.data.addresses.shipping.state).toBe("Karnataka");
    const emptied = await patch(order, { addresses: { shipping: { state: null } } });
    expect(emptied.body.data.addresses.shipping.state).toBe("Karnataka");
  });

  test("refuses an address that would change delivery or tax costs", async () => {
    const order = await desk.place("cod");
    const elsewhere = (postal_code: string) => ({
      addresses: {
        shipping: {
          line1: "1 Marine Drive",
          city: "Mumbai",
          state: "MH",
          postal_code,
          country: "IN",
        },
      },
    });
    const refused = await patch(order, elsewhere("400020"));
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([
      422,
      ["addresses.shipping.postal_code"],
    ]);
    expect((await patch(order, elsewhere("12"))).status).toBe(422);
  });

  test("refuses a change of the buyer's contact once it is shipped, but still accepts notes", async () => {
    const order: DeskOrder = await desk.place("cod");
    await desk.send(order, 2);
    const { status, body } = await patch(order, { customer: { name: "Ravi" } });
    const { details, code } = body;
    expect([status, code, details]).toEqual([409, "order_locked", { reason: "dispatched" }]);
    expect((await patch(order, { notes: "Left with the neighbour" })).status).toBe(200);
  });

  test.each<[string, object]>([
    ["attention.0", { attention: ["overpaid"] }],
    ["status", { status: "lost" }],
    ["tags.0", { tags: [""] }],
    ["customer.phone", { customer: { phone: "none" } }],
    ["customer.id", { customer: { id: "cus_1" } }],
    ["totals", { totals: { grand_total: 1 } }],
    ["payment_status", { payment_status: "paid" }],
  ])("refuses a change at the path %s with %j", async (path, wrong) => {
    const { status, body } = await patch(await desk.place("cod"), wrong);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [path]]);
  });
});
