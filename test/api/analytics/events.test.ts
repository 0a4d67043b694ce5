import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { AnalyticsEvents } from "#shared/storage/metrics/analytics-events.ts";
import { sequentialSteps } from "#test/support/emulators/dynamodb-calls.ts";
import { clientOf } from "#test/support/http/client.ts";
import { tableOf } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { inOneWindow, stillClock } from "#test/support/stack/clock.ts";
import { startProxiedService } from "#test/support/stack/table.ts";
import { type Data, tally } from "#test/support/shop/shopping.ts";
import { staffClient } from "#test/support/people/people.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, world } = await useShop();

type Receipt = Data<{
  accepted: number;
  duplicates: number;
  rejected: { index: number; errors: Record<string, string[]> }[];
}>;

const visitor = () => clientOf(baseUrl);
const report = (body: unknown, client = visitor()) =>
  client.post<Receipt & Problem>("/analytics/events", body);

let session: string;
beforeAll(() => {
  session = randomUUID();
});
const anEvent = (overrides: object = {}) => ({
  event_id: randomUUID(),
  session_id: session,
  name: "view_item",
  occurred_at: new Date().toISOString(),
  ...overrides,
});

describe("analytics events", () => {
  test("can be sent alone or in batches, and an invalid event does not affect the others", async () => {
    expect((await report(anEvent())).body.data).toMatchObject({ accepted: 1, rejected: [] });
    const { status, body } = await report({
      events: [
        anEvent(),
        anEvent({ name: "bought_everything" }),
        "nonsense",
        anEvent({ items: [{ product: "kaveri-lounge-chair", quantity: 0 }] }),
        anEvent({ surprise: 1 }),
        anEvent({ items: [{ product: "kaveri-lounge-chair", sku: "ACH-KAVERI-LOUNGE-OAT" }] }),
      ],
    });
    expect(status).toBe(202);
    expect(body.data).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(body.data.rejected.map(({ index, errors }) => [index, ...Object.keys(errors)])).toEqual([
      [1, "name"],
      [2, "body"],
      [3, "items.0.quantity"],
      [4, "surprise"],
      [5, "items.0"],
    ]);
  });

  test.each([
    ["has no name", { name: undefined }, "name"],
    ["has a session id with invalid characters", { session_id: "a#b" }, "session_id"],
    ["has an id that is too long", { event_id: "e".repeat(81) }, "event_id"],
    ["is dated last year", { occurred_at: "2025-01-01T00:00:00Z" }, "occurred_at"],
    ["is dated tomorrow", { occurred_at: new Date(Date.now() + 8e7).toISOString() }, "occurred_at"],
    ["has a fractional value", { value: 1.5 }, "value"],
    ["has an invalid page", { page: "sofas" }, "page"],
    ["has a script as its page", { page: "javascript:alert(1)" }, "page"],
    ["is a view with the results of a search", { search: { query: "bed", results: 2 } }, "search"],
    [
      "is a page view with a search query",
      { name: "page_view", search_query: "bed" },
      "search_query",
    ],
    [
      "has a negative number of results",
      { name: "search", search: { query: "bed", results: -1 } },
      "search.results",
    ],
  ])("are refused with 422 if the only event of a request %s", async (_, overrides, member) => {
    const { status, body } = await report(anEvent(overrides));
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [member]]);
  });

  test("are refused if a request contains none or more than fifty", async () => {
    const many = Array.from({ length: 51 }, () => anEvent());
    expect((await report({ events: many })).status).toBe(422);
    expect((await report({ events: many.slice(1) })).body.data.accepted).toBe(50);
    expect((await report({ events: [] })).status).toBe(422);
  });

  test("are deduplicated by event id within a request and between requests", async () => {
    const event = anEvent();
    expect((await report({ events: [event, event] })).body.data).toMatchObject({
      accepted: 1,
      duplicates: 1,
    });
    expect((await report(event)).body.data).toMatchObject({ accepted: 0, duplicates: 1 });
    // An event with the same id in another session is a different event.
    const other = { ...event, session_id: randomUUID() };
    expect((await report(other)).body.data).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  test("are stored without the query of a URL, and with only the host of a referrer", async () => {
    const event = anEvent({
      name: "page_view",
      page: {
        path: "https://shop.example/sofas/?utm_source=letter&email=asha@example.com#top",
        referrer: "https://www.search.example/find?q=private",
      },
    });
    await report(event);
    const stored = await tableOf(environment).get(AnalyticsEvents, event);
    expect(stored?.page).toEqual({
      path: "/sofas",
      title: null,
      referrer_host: "search.example",
      utm_source: "letter",
      utm_medium: null,
      utm_campaign: null,
    });
  });

  test("are stored with the normalized words of a search, without email addresses and long numbers", async () => {
    const query = "SOFA for asha@example.com, 98450 12345!";
    const [searched, viewed] = [
      anEvent({ name: "search", search: { query, results: 4 } }),
      anEvent({ search_query: query }),
    ];
    expect((await report({ events: [searched, viewed] })).body.data.accepted).toBe(2);
    const table = tableOf(environment);
    const words = "sofa for * *";
    expect((await table.get(AnalyticsEvents, searched))?.search).toEqual({
      query: words,
      results: 4,
    });
    expect((await table.get(AnalyticsEvents, viewed))?.search_query).toBe(words);
  });

  test("are limited to sixty requests a minute from one IP address", async () => {
    const replies = await inOneWindow(60, () => {
      const client = visitor();
      return Promise.all(Array.from({ length: 70 }, () => report(anEvent(), client)));
    });
    const refused = replies.find(({ status }) => status === 429);
    expect(refused?.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(tally(replies)["202"]).toBe(60);
  });
});

test("the number of storage requests of an event report or a metrics query does not depend on how many events were counted", async () => {
  const clock = stillClock();
  const service = await startProxiedService(environment, { latencyMs: 15 });
  try {
    const staff = await staffClient(service.baseUrl, world, "analyst");
    const client = clientOf(service.baseUrl);
    const once = async (work: () => Promise<{ status: number }>) => {
      const { result, calls } = await service.proxy.record(work);
      expect(result.status).toBeLessThan(300);
      return { requests: calls.length, steps: sequentialSteps(calls) };
    };
    // Returns the lower cost of two calls, in case one of them contained a retry.
    const cost = (work: () => Promise<{ status: number }>) =>
      clock.still(async () => {
        await work();
        const [one, other] = [await once(work), await once(work)];
        return one.requests < other.requests ? one : other;
      });
    const fifty = () => ({ events: Array.from({ length: 50 }, () => anEvent()) });
    // Four requests: the rate counter concurrently with a batch of reads, then two batches of writes.
    expect(await cost(() => client.post("/analytics/events", fifty()))).toMatchObject({
      requests: 4,
    });
    const asked = "from=2026-01-01&to=2026-12-31";
    const requests = {
      // The first number of each sum is the session's read. Each other number is a topic's queries, one per shard.
      "/admin/dashboard": 1 + 4 + 1 + 2 + 1 + 4,
      [`/admin/analytics/overview?${asked}`]: 1 + 4 + 4 + 2,
      [`/admin/analytics/traffic?${asked}`]: 1 + 4 + 4 + 4,
      [`/admin/analytics/messaging?${asked}`]: 1 + 2 + 1,
      [`/admin/analytics/leads-funnel?${asked}`]: 1 + 4 + 2,
      "/admin/analytics/search?from=2026-01-01&to=2026-03-31": 1 + 8,
    };
    for (const [path, most] of Object.entries(requests)) {
      expect((await cost(() => staff.get(path))).requests, path).toBeLessThanOrEqual(most);
    }
  } finally {
    await service.stop();
    clock.restore();
  }
});
