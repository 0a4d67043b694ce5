import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Cards, Products, Sofas } from "#shared/storage/catalog/catalog.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { productCard } from "#shared/domain/catalog/product-card.ts";
import { sofaCard } from "#shared/domain/sofa/sofa-card.ts";
import { aProduct, aSofa } from "#test/support/shop/builders.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aPassword, aVerifiedMember, deleteAccount } from "#test/support/people/members.ts";
import { inboxOf } from "#test/support/emulators/inbox.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { orderDesk } from "#test/support/back-office/orders.ts";
import { plantProduct, plantSofa } from "#test/support/shop/plant.ts";
import {
  aBench,
  aLeadForm,
  askForQuote,
  beginQuote,
  sendQuote,
  aLocationBody,
} from "#test/support/back-office/sales.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { type WhatsAppDesk, openWhatsAppDesk } from "#test/support/back-office/whatsapp.ts";
import { awaits } from "#test/support/stack/effects.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { staffAs } = await useShop();

type Metrics = Record<string, number>;
interface Compared {
  from: string;
  to: string;
  previous: { from: string; to: string };
  totals: Metrics;
  previous_totals: Metrics;
  series: (Metrics & { from: string })[];
}
interface Dashboard {
  on: string;
  sales: { today: Metrics; last_30_days: Metrics; by_day: Metrics[] };
  orders: {
    open: { total: number; by_status: { status: string; count: number }[] };
    unpaid: { orders: number; amount: number; by_age: Metrics[] };
  };
  leads: { new: Metrics };
  inbox: Metrics;
  inventory: Metrics;
  traffic: { today: Metrics };
}

let desk: WhatsAppDesk;
let orders: ReturnType<typeof orderDesk>;
let owner: StaffClient;
const today = dayIn("Asia/Kolkata", new Date());
beforeAll(async () => {
  desk = await openWhatsAppDesk({ effects: ["mail", "metrics"] });
  orders = orderDesk(desk.stack.baseUrl, desk.stack.environment);
  owner = await desk.staff("owner");
});
afterAll(() => desk.stack.stop());

async function read<Content>(path: string, by = owner): Promise<Content> {
  awaits("metrics");
  await desk.stack.settled();
  const { status, body, text } = await by.get<Data<Content>>(path);
  if (status !== 200) throw new Error(text);
  return body.data;
}
const overview = (query = "") => read<Compared>(`/admin/analytics/overview${query}`);
const dashboard = (by?: StaffClient) => read<Dashboard>("/admin/dashboard", by);
const openOf = ({ orders: { open } }: Dashboard, status: string) =>
  open.by_status.find((each) => each.status === status)?.count;

describe("the sales metrics", () => {
  test("include each step of an order: placement, payment, refund, cancellation and shipment", async () => {
    const before = (await dashboard()).sales.today;
    const transfer = await orders.place("bank_transfer", { quantity: 3 });
    const cash = await orders.place("cod");
    const pending = await dashboard();
    // An order that awaits payment counts as due and not as a sale; cash on delivery counts as both.
    expect(pending.sales.today).toMatchObject({
      orders: before["orders"]! + 1,
      revenue: before["revenue"]! + cash.total,
    });
    expect([openOf(pending, "pending_payment"), pending.orders.open.total]).toEqual([1, 2]);
    expect(pending.orders.unpaid).toMatchObject({
      orders: 2,
      amount: transfer.total + cash.total,
      by_age: expect.arrayContaining([
        { from_days: 0, to_days: 1, orders: 2, amount: transfer.total + cash.total },
        { from_days: 31, to_days: null, orders: 0, amount: 0 },
      ]),
    });

    await orders.receive(transfer.id, transfer.total);
    const paid = await overview();
    expect(paid.totals).toMatchObject({
      orders: 2,
      units: 5,
      revenue: transfer.total + cash.total,
      average_order: Math.round((transfer.total + cash.total) / 2),
      refunded: 0,
    });
    expect(paid.series.at(-1)).toMatchObject({ from: today, revenue: paid.totals["revenue"] });
    expect(paid.previous_totals["revenue"]).toBe(0);

    const refund = { amount: 1_000, reason: "Goodwill", reference: "UTR 7" };
    const refunded = await owner.post(`/admin/orders/${transfer.id}/refunds`, refund, {
      "idempotency-key": transfer.id,
    });
    expect(refunded.status).toBe(201);
    expect((await overview()).totals).toMatchObject({
      revenue: transfer.total + cash.total,
      refunded: 1_000,
    });

    await orders.cancel(cash.id);
    const cancelled = await dashboard();
    expect(cancelled.sales.today).toMatchObject({
      orders: 1,
      revenue: transfer.total,
      cancelled: 1,
      cancelled_amount: cash.total,
    });
    expect([openOf(cancelled, "confirmed"), openOf(cancelled, "pending_payment")]).toEqual([1, 0]);
    expect(cancelled.orders.unpaid.orders).toBe(0);
    expect(cancelled.sales.by_day.at(-1)).toMatchObject({ on: today, revenue: transfer.total });

    await orders.send(transfer, 1, "packed");
    const sent = await dashboard();
    expect(sent.sales.today).toEqual(cancelled.sales.today);
    expect(openOf(sent, "ready_to_dispatch")).toBe(1);

    const { products } = await read<{ products: Metrics[] }>("/admin/analytics/products");
    expect(products).toEqual([
      expect.objectContaining({ sold: 3, revenue: transfer.lineTotal, kind: "product" }),
    ]);
  });

  test("include the changes of an order that nobody has paid", async () => {
    const before = (await overview()).totals;
    const { id, line } = await orders.place("cod", { quantity: 2 });
    const change = { reason: "Scratched", reduce: [{ id: line, amount: 500 }] };
    const changed = await owner.post(`/admin/orders/${id}/changes`, change, {
      "idempotency-key": id,
    });
    expect(changed.status).toBe(200);
    expect((await overview()).totals).toMatchObject({
      orders: before["orders"]! + 1,
      changes_lowered: before["changes_lowered"]! + 500,
    });
  });
});

test("events sent by a browser count as visits, never as sales", async () => {
  const visitor = clientOf(desk.stack.baseUrl);
  const event = (name: string, number: number, more = {}) => ({
    event_id: `e${number}`,
    session_id: "one-session",
    name,
    occurred_at: new Date().toISOString(),
    ...more,
  });
  const before = (await overview()).totals;
  const { status, body } = await visitor.post("/analytics/events", {
    events: [
      event("page_view", 1, { page: "https://shop.test/sofas?utm_source=Letter&email=a@b.c" }),
      event("page_view", 2, { page: { path: "/sofas/", referrer: "https://www.google.com/" } }),
      event("add_to_cart", 3, { value: 500, currency: "INR" }),
      event("purchase", 4, { value: 9_000_000, currency: "INR" }),
      event("add_to_cart", 3),
      event("add_to_cart", 5, { occurred_at: "2020-01-01T00:00:00Z" }),
    ],
  });
  expect([status, body]).toEqual([
    202,
    {
      data: {
        accepted: 4,
        duplicates: 1,
        rejected: [{ index: 5, errors: { occurred_at: [expect.any(String)] } }],
      },
    },
  ]);
  const { totals } = await overview();
  expect(totals).toEqual({
    ...before,
    sessions: before["sessions"]! + 1,
    page_views: before["page_views"]! + 2,
    carts: before["carts"]! + 1,
    conversion_bps: expect.any(Number),
  });
  expect(await read("/admin/analytics/traffic")).toMatchObject({
    sources: [{ source: "letter", sessions: 1 }],
    landing_pages: [{ path: "/sofas", sessions: 1 }],
    pages: [{ path: "/sofas", views: 2 }],
  });
});

test("viewed products are listed with the published name, or with the draft's name once they are unpublished", async () => {
  const { table } = desk;
  const [{ sofa, material }, { product }] = [await plantSofa(table), await plantProduct(table)];
  const other = await plantProduct(table);
  await table.transact([
    put(Cards, sofaCard(sofa, new Map([[material.code, material]]))),
    put(Cards, productCard(product, [])),
    put(Cards, productCard(other.product, [])),
  ]);
  const seen = (item: object, number: number) => ({
    event_id: `seen-${number}`,
    session_id: "looker",
    name: "view_item",
    occurred_at: new Date().toISOString(),
    items: [item],
  });
  const { status } = await clientOf(desk.stack.baseUrl).post("/analytics/events", {
    events: [
      { sofa: sofa.slug },
      { product: product.slug },
      { product: product.id },
      { sofa: sofa.id },
      { sku: other.sku },
    ].map(seen),
  });
  expect(status).toBe(202);
  const viewed = async () => {
    const { products } = await read<{ products: { id: string; viewed: number; name: string }[] }>(
      "/admin/analytics/products",
    );
    return Object.fromEntries(products.map((each) => [each.id, each.name]));
  };
  expect(await viewed()).toMatchObject({
    [sofa.id]: sofa.name,
    [product.id]: product.name,
    [other.product.id]: other.product.name,
  });
  await table.transact([
    remove(Cards, { id: sofa.id }),
    put(Sofas, aSofa({ id: sofa.id, slug: sofa.slug, name: "Draft" })),
    remove(Cards, { id: product.id }),
    put(Products, aProduct({ id: product.id, slug: product.slug, name: "Draft chair" })),
  ]);
  expect(await viewed()).toMatchObject({ [sofa.id]: "Draft", [product.id]: "Draft chair" });
});

describe("the search metrics", () => {
  interface Searches {
    totals: Metrics;
    series: (Metrics & { from: string })[];
    queries: (Metrics & { query: string })[];
    without_results: { query: string }[];
    without_clicks: { query: string }[];
    others: Metrics;
  }
  const searches = (query = "") => read<Searches>(`/admin/analytics/search${query}`);
  let sent = 0;
  const anEvent = (name: string, members: object) => ({
    event_id: `search-${(sent += 1)}`,
    session_id: `searcher-${sent}`,
    name,
    occurred_at: new Date().toISOString(),
    ...members,
  });
  const searched = (query: string, results: number) =>
    anEvent("search", { search: { query, results } });
  const clicked = (search_query: string) => anEvent("view_item", { search_query });
  const send = async (events: readonly object[]) => {
    const { body } = await clientOf(desk.stack.baseUrl).post<Data<{ accepted: number }>>(
      "/analytics/events",
      { events },
    );
    expect(body.data).toMatchObject({ accepted: events.length });
  };

  test("list the queries of visitors, those without results and those without clicks", async () => {
    expect((await searches()).totals).toEqual({ searches: 0, without_results: 0, clicks: 0 });
    const again = searched("corner  SOFA!", 4);
    await send([again, searched("Corner sofa", 4), clicked("corner sofa")]);
    await send([again, searched("hammock", 0), searched("teak bench", 2)].slice(1));
    // The same event once more, with one that hides a phone number and an email address.
    await clientOf(desk.stack.baseUrl).post("/analytics/events", {
      events: [again, searched("call 98450 12345 or asha@example.com", 0)],
    });
    const report = await searches("?granularity=month");
    expect(report.totals).toEqual({ searches: 5, without_results: 2, clicks: 1 });
    expect(report.queries).toEqual([
      {
        query: "corner sofa",
        searches: 2,
        without_results: 0,
        clicks: 1,
        clicks_per_search_bps: 5_000,
      },
      expect.objectContaining({ query: "call * or *", searches: 1 }),
      expect.objectContaining({ query: "hammock", searches: 1, clicks: 0 }),
      expect.objectContaining({ query: "teak bench", searches: 1 }),
    ]);
    const names = (queries: { query: string }[]) => queries.map(({ query }) => query);
    expect(names(report.without_results)).toEqual(["call * or *", "hammock"]);
    expect(names(report.without_clicks)).toEqual(["teak bench"]);
    expect(report.series.at(-1)).toMatchObject({ searches: 5, clicks: 1 });
    expect((await searches("?from=2026-01-01&to=2026-01-31")).totals["searches"]).toBe(0);
  });

  const countsOf = async (wanted: string) => {
    const { queries } = await searches();
    const counted = queries.find(({ query }) => query === wanted);
    return [counted?.["searches"], counted?.["clicks"]];
  };

  test("count the searches and clicks of a query once in each session and day", async () => {
    const session_id = "one-searcher";
    const ofOne = () => [
      { ...searched("futon", 2), session_id },
      { ...searched("Futon!", 2), session_id },
      { ...clicked("futon"), session_id },
      { ...clicked("futon"), session_id },
    ];
    await send(ofOne());
    await send(ofOne());
    expect(await countsOf("futon")).toEqual([1, 1]);
    await send([searched("futon", 2)]);
    expect(await countsOf("futon")).toEqual([2, 1]);
  });

  test("count a query at most twenty times from one caller and day, and other queries and callers beside it", async () => {
    const caller = clientOf(desk.stack.baseUrl);
    const sendAll = (events: object[]) => caller.post("/analytics/events", { events });
    const many = () => Array.from({ length: 15 }, () => searched("daybed", 3));
    const clicks = () => Array.from({ length: 15 }, () => clicked("daybed"));
    await sendAll([...many(), searched("pouffe", 1)]);
    await sendAll([...many(), ...clicks()]);
    await sendAll([...many(), ...clicks(), searched("pouffe", 1)]);
    expect(await countsOf("daybed")).toEqual([20, 20]);
    expect(await countsOf("pouffe")).toEqual([2, 0]);
    await send([searched("daybed", 3)]);
    expect(await countsOf("daybed")).toEqual([21, 20]);
  });

  test("cover at most 92 days", async () => {
    const { status, body } = await owner.get<{ errors: object }>(
      "/admin/analytics/search?from=2026-01-01&to=2026-04-03",
    );
    expect([status, body.errors]).toEqual([
      422,
      { from: ["The from field must be at most 91 days before the to field."] },
    ]);
    await searches("?from=2026-01-01&to=2026-04-02");
  });
});

test("leads, messages and stock are counted by their current state", async () => {
  const { body } = await clientOf(desk.stack.baseUrl).post<Data<{ id: string }>>(
    "/leads",
    aLeadForm({ type: "bulk" }),
  );
  await owner.patch(`/admin/leads/${body.data.id}`, { status: "contacted" });
  const funnel = await read<{ funnel: { step: string; count: number }[] }>(
    "/admin/analytics/leads-funnel",
  );
  expect(funnel).toMatchObject({
    totals: { leads: 1, won: 0 },
    by_type: expect.arrayContaining([{ type: "bulk", count: 1 }]),
    by_status: expect.arrayContaining([
      { status: "new", count: 0 },
      { status: "contacted", count: 1 },
    ]),
  });

  const { id } = await desk.written({ ago: 2 });
  await owner.post(`/admin/inbox/conversations/${id}/messages`, { text: "It is." });
  expect(await read("/admin/analytics/messaging")).toMatchObject({
    totals: {
      received: 1,
      written: 1,
      conversations: 1,
      answers: 1,
      average_answer_seconds: expect.closeTo(7_200, -2),
    },
    now: { open: 1 },
  });

  const { inventory } = await dashboard();
  await orders.place("bank_transfer", { quantity: 9, units: 10 });
  await orders.place("bank_transfer", { quantity: 10, units: 10 });
  expect((await dashboard()).inventory).toEqual({
    low_stock: inventory["low_stock"]! + 2,
    out_of_stock: inventory["out_of_stock"]! + 1,
  });
});

test("leads and quotes are still counted after the customer's personal data is erased", async () => {
  const { baseUrl, environment } = desk.stack;
  const inbox = inboxOf(environment.SES_ENDPOINT);
  const member = await aVerifiedMember({ baseUrl, inbox });
  const { email } = member;
  const lead = aLeadForm({ email, type: "swatch" });
  const { body } = await clientOf(baseUrl).post<Data<{ id: string }>>("/leads", lead);
  await owner.patch(`/admin/leads/${body.data.id}`, { status: "contacted" });
  const quote = await askForQuote(baseUrl, [aBench()], { email });
  await sendQuote({ staff: owner, inbox }, quote.id, 700_000);

  const before = await counted();
  expect(await deleteAccount(member, aPassword)).toBe(204);
  const erased = await owner.get<Data<{ name: string }>>(`/admin/leads/${body.data.id}`);
  expect(erased.body.data.name).toBe("Erased");
  expect(await counted()).toEqual(before);

  async function counted() {
    const { leads } = await dashboard();
    return { leads, funnel: await read("/admin/analytics/leads-funnel") };
  }
});

test("the dashboard omits sections that the caller has no permission to view", async () => {
  const sections = async (role: Parameters<WhatsAppDesk["staff"]>[0]) =>
    Object.keys(await dashboard(await desk.staff(role))).toSorted();
  expect(await sections("owner")).toEqual([
    "currency",
    "feed",
    "inbox",
    "inventory",
    "leads",
    "on",
    "orders",
    "returns",
    "sales",
    "traffic",
  ]);
  expect(await sections("content_editor")).toEqual(["currency", "feed", "on"]);
  expect(await sections("catalog_editor")).toEqual(["currency", "feed", "inventory", "on"]);
});

test("the demo shop has visitor metrics for two months, and queries without results", async () => {
  const analyst = await staffAs("analyst");
  const { body: searches } =
    await analyst.get<Data<{ without_results: { query: string }[] }>>("/admin/analytics/search");
  expect(searches.data.without_results.map(({ query }) => query)).toContain("mattress");
  const { body } =
    await analyst.get<Data<Dashboard & { traffic: Record<string, Metrics> }>>("/admin/dashboard");
  expect(body.data.traffic["last_30_days"]?.["sessions"]).toBeGreaterThan(300);
  expect(body.data.traffic["previous_30_days"]?.["carts"]).toBeGreaterThan(30);
});

describe("the requested period of metrics", () => {
  test("is divided into days, weeks or months without gaps", async () => {
    const query = "?from=2025-12-29&to=2026-02-02";
    const weeks = await overview(`${query}&granularity=week`);
    expect(weeks.previous).toEqual({ from: "2025-11-23", to: "2025-12-28" });
    expect(weeks.series.map(({ from }) => from)).toEqual([
      "2025-12-29",
      "2026-01-05",
      "2026-01-12",
      "2026-01-19",
      "2026-01-26",
      "2026-02-02",
    ]);
    const months = await overview(`${query}&granularity=month`);
    expect(months.series.map(({ from }) => from)).toEqual([
      "2025-12-29",
      "2026-01-01",
      "2026-02-01",
    ]);
    expect((await overview(query)).series).toHaveLength(36);
  });

  test.each([
    ["from=2026-02-01&to=2026-01-01", "from"],
    ["from=2024-01-01&to=2026-01-01", "from"],
    ["from=0001-01-01&to=0001-01-02", "from", "to"],
    ["to=2026-02-30", "to"],
    ["granularity=hour", "granularity"],
  ])("is refused if the query is %s", async (query, ...members) => {
    for (const report of [
      "overview",
      "traffic",
      "products",
      "search",
      "leads-funnel",
      "messaging",
    ]) {
      const { status, body } = await owner.get<{ errors: object }>(
        `/admin/analytics/${report}?${query}`,
      );
      expect([status, Object.keys(body.errors)]).toEqual([422, members]);
    }
  });
});

test("sales are divided by channel, location and seller", async () => {
  type Divided = Record<"channels" | "locations" | "sellers", object[]>;
  const { product } = await plantProduct(desk.table);
  const items = [{ product: product.slug, quantity: 1 }];
  const showroom = aLocationBody();
  expect((await owner.post("/admin/locations", showroom)).status).toBe(201);
  const location = showroom.code;
  const quote = await beginQuote(owner, { items, location });
  const path = `/admin/quotes/${quote.id}/place`;
  const placed = await owner.post(path, { payment: { method: "cod" } });
  expect(placed.status).toBe(201);
  const part = { orders: 1, revenue: quote.totals?.grand_total };
  const divided = await read<Divided>("/admin/analytics/overview");
  expect(divided.channels).toContainEqual({ channel: "phone", ...part });
  expect(divided.locations).toEqual([{ location, ...part }]);
  const { name } = await owner.stored();
  expect(divided.sellers).toEqual([{ seller: { id: owner.id, name }, ...part }]);
});

test("returns count by product, reason and fault, and open ones are on the dashboard", async () => {
  interface Returns {
    readonly totals: Metrics;
    readonly returns: Record<"by_reason" | "by_fault", object[]>;
  }
  const before = await read<Returns>("/admin/analytics/overview");
  const order = await orders.place("cod", { quantity: 4 });
  await orders.send(order, 4, "delivered");
  const open = async (reason: string) => {
    const items = [{ id: order.line, quantity: 1, reason }];
    const sent = await owner.post<Data<{ id: string }>>(
      "/admin/returns",
      { order: order.id, items },
      { "idempotency-key": `${order.id} ${reason}` },
    );
    expect(sent.status).toBe(201);
    return `/admin/returns/${sent.body.data.id}`;
  };
  const damaged = await open("damaged");
  for (const body of [
    { status: "approved" },
    { status: "received" },
    { status: "refunded", items: [{ id: order.line, accepted: 1, goods: "scrap" }] },
  ]) {
    expect((await owner.patch(damaged, body)).status).toBe(200);
  }
  const openNow = async () =>
    (await read<{ returns: { total: number } }>("/admin/dashboard")).returns.total;
  expect(await openNow()).toBe(0);
  await open("changed-mind");
  expect(await openNow()).toBe(1);

  const after = await read<Returns>("/admin/analytics/overview");
  const { units } = after.totals;
  expect(units).toBe(before.totals["units"]! + 4);
  const part = { returned: 1, returned_bps: Math.round(10_000 / units!) };
  expect(after).toMatchObject({
    totals: part,
    returns: {
      by_reason: [{ reason: "damaged", ...part }],
      by_fault: [{ fault: "carrier", ...part }],
    },
  });
  const { products } = await read<{ products: Metrics[] }>(
    "/admin/analytics/products?sort=returned",
  );
  expect(products[0]).toMatchObject({ sold: 4, returned: 1, returned_bps: 2_500 });
  const { returns } = await read<{ returns: { by_status: object[] } }>("/admin/dashboard");
  expect(returns).toMatchObject({ total: 1, to_send_back: 0 });
  expect(returns.by_status).toContainEqual({ status: "requested", count: 1 });
});
