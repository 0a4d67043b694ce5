import * as z from "zod";
import { AnalyticsEventName, type StoredEvent } from "./analytics-event.ts";
import { type Metrics, type Tally, metricOf, rowName, topicRows, sumOf } from "./metrics.ts";
import { Currency } from "../base/money.ts";
import { queryOf } from "./search-metrics.ts";
import { Day } from "../base/text.ts";

/** Steps towards an order or an enquiry. For each, the sessions of a day that reached it are counted. */
export const VisitStep = AnalyticsEventName.extract([
  "view_item",
  "add_to_cart",
  "begin_checkout",
  "generate_lead",
  "whatsapp_click",
]);
export type VisitStep = z.output<typeof VisitStep>;

/** The members of an event that metrics need. */
export const CountableEvent = z.object({
  session_id: z.string(),
  event_id: z.string(),
  name: AnalyticsEventName,
  day: Day,
  occurred_at: z.string(),
  path: z.string().nullable(),
  source: z.string().nullable(),
  items: z.array(z.object({ thing: z.string(), quantity: z.int() })),
  search: z.object({ query: z.string(), results: z.int() }).nullable().default(null),
  /** The search whose results led to the items. */
  search_query: z.string().nullable().default(null),
  value: z.int(),
  currency: Currency.nullable(),
});
export type CountableEvent = z.output<typeof CountableEvent>;

/** Further queries of a session and day are not counted. */
const mostQueriesOfVisit = 100;

/** A session on one day, with the members that metrics count. */
export const Visit = z.object({
  session_id: z.string(),
  day: Day,
  steps: z.array(VisitStep),
  /** Whether the session's first page has been counted. */
  landed: z.boolean(),
  /** The queries whose search, or click, has been counted: `search:chair`, `click:chair`. */
  queries: z.array(z.string()).max(mostQueriesOfVisit).default([]),
  version: z.int().min(1),
});
export type Visit = z.output<typeof Visit>;

/** The source of sessions without a referrer or campaign. */
export const direct = "direct";

/**
 * The members of an event that are counted. Its items are named as the client sent them: `product:<id or slug>`,
 * `sofa:<id or slug>` or `sku:<sku>`. `countEvents` looks them up.
 */
export function countableEvent(event: StoredEvent): CountableEvent {
  const { session_id, event_id, name, day, occurred_at, page, items = [] } = event;
  const source = page && (page.utm_source?.toLowerCase() ?? page.referrer_host ?? direct);
  return {
    session_id,
    event_id,
    name,
    day,
    occurred_at,
    path: page && page.path,
    source,
    items: items.flatMap(({ product, sofa, sku, quantity }) => {
      const kind = product ? "product" : sofa ? "sofa" : "sku";
      return [{ thing: `${kind}:${product ?? sofa ?? sku}`, quantity }];
    }),
    search: event.search ?? null,
    search_query: event.search_query ?? null,
    value: event.value ?? 0,
    currency: event.currency ?? null,
  };
}

export interface EventCounts {
  readonly tally: Tally;
  /** The visits to store: those that are new, and those that these events have changed. */
  readonly visits: readonly Visit[];
  /** The searches and clicks to count: of each query the first of a session and day. */
  readonly searches: readonly CountableEvent[];
}

/**
 * Tallies the events of one day. The caller passes only events that are not counted yet.
 *
 * @param known.visits the stored visits of these sessions
 * @param known.productOf returns the id of the product or sofa that an event's item refers to; undefined if the shop
 *   does not sell it
 * @param known.currency the store's currency; amounts in other currencies are left out
 */
export function countEvents(
  day: Day,
  events: readonly CountableEvent[],
  known: {
    visits: readonly Visit[];
    productOf: (thing: string) => string | undefined;
    currency: string;
  },
): EventCounts {
  const visits = new Map(known.visits.map((visit) => [visit.session_id, visit]));
  const bySession = Map.groupBy(events, ({ session_id }) => session_id);
  const counted = Array.from(bySession, ([session_id, ofSession]) =>
    countVisit(visits.get(session_id) ?? { session_id, day }, ofSession),
  );
  return {
    tally: sumOf(
      ...events.flatMap((event) => eventTallies(day, event, known)),
      ...counted.flatMap(({ tallies }) => tallies),
    ),
    visits: counted.flatMap(({ visit }) => visit ?? []),
    searches: counted.flatMap(({ searches }) => searches),
  };
}

function eventTallies(
  day: Day,
  { name, value, currency, path, items }: CountableEvent,
  known: { productOf: (thing: string) => string | undefined; currency: string },
): Tally[] {
  const isOwn = currency === null || currency === known.currency;
  const events = { [name]: 1, ...(isOwn && value > 0 && { [`${name}_value`]: value }) };
  const views = name === "page_view" && path !== null ? { [metricOf("page", path)]: 1 } : null;
  return [
    { [rowName("events", day)]: events },
    ...(views ? inRows("traffic", day, views) : []),
    ...items.flatMap(({ thing, quantity }) => {
      const id = known.productOf(thing);
      const metrics = id === undefined ? null : thingMetrics(name, { id, quantity });
      return metrics ? inRows("products", day, metrics) : [];
    }),
  ];
}

/** A tally of these metrics for the day, and one for its month. */
const inRows = (topic: "traffic" | "products", day: Day, metrics: Metrics): Tally[] =>
  topicRows(topic, day).map((row) => ({ [row]: metrics }));

function thingMetrics(
  name: AnalyticsEventName,
  { id, quantity }: { id: string; quantity: number },
): Metrics | null {
  if (name === "view_item") return { [metricOf("viewed", id)]: 1 };
  if (name === "add_to_cart") return { [metricOf("carted", id)]: quantity };
  return null;
}

function countVisit(
  before: Visit | Pick<Visit, "session_id" | "day">,
  events: readonly CountableEvent[],
): { tallies: Tally[]; visit: Visit | undefined; searches: CountableEvent[] } {
  const { session_id, day } = before;
  const known: Omit<Visit, "session_id" | "day"> =
    "version" in before ? before : { steps: [], landed: false, queries: [], version: 0 };
  const reached = new Set(events.flatMap(({ name }) => VisitStep.safeParse(name).data ?? []));
  const steps = [...reached].filter((step) => !known.steps.includes(step));
  const landing = known.landed ? undefined : firstPage(events);
  const fresh = firstOfQueries(known.queries, events);
  const isSame = known.version > 0 && steps.length === 0 && !landing && fresh.size === 0;
  if (isSame) return { tallies: [], visit: undefined, searches: [] };

  const metrics = Object.fromEntries(steps.map((step) => [`reached_${step}`, 1]));
  if (known.version === 0) metrics["sessions"] = 1;
  return {
    tallies: [
      { [rowName("events", day)]: metrics },
      ...(landing ? inRows("traffic", day, landing) : []),
    ],
    visit: {
      session_id,
      day,
      steps: [...known.steps, ...steps],
      landed: known.landed || landing !== undefined,
      queries: [...known.queries, ...fresh.keys()],
      version: known.version + 1,
    },
    searches: [...fresh.values()],
  };
}

/** The first event of each query that is not counted yet, by its entry in a visit. */
function firstOfQueries(
  counted: readonly string[],
  events: readonly CountableEvent[],
): Map<string, CountableEvent> {
  const fresh = new Map<string, CountableEvent>();
  for (const event of events) {
    const query = queryOf(event);
    if (query === null) continue;
    const entry = `${event.search ? "search" : "click"}:${query}`;
    const hasRoom = counted.length + fresh.size < mostQueriesOfVisit;
    if (hasRoom && !counted.includes(entry) && !fresh.has(entry)) fresh.set(entry, event);
  }
  return fresh;
}

/** Counts a landing on the page of the earliest event with a path, and a visit from that event's source. */
function firstPage(events: readonly CountableEvent[]): Record<string, number> | undefined {
  const first = events
    .filter(({ path }) => path !== null)
    .toSorted((one, other) => Date.parse(one.occurred_at) - Date.parse(other.occurred_at))[0];
  if (!first) return undefined;
  return {
    [metricOf("landing", first.path ?? "")]: 1,
    [metricOf("source", first.source ?? "")]: 1,
  };
}
