import * as z from "zod";
import { AnalyticsEventName, type StoredEvent } from "./analytics-event.ts";
import { type Metrics, type Tally, metricOf, rowName, rowsOf, sumOf } from "./metrics.ts";
import { Currency } from "../base/money.ts";
import { Day } from "../base/text.ts";

/** Steps towards an order or an enquiry: of each is counted how many sessions of a day came so far. */
export const VisitStep = AnalyticsEventName.extract([
  "view_item",
  "add_to_cart",
  "begin_checkout",
  "generate_lead",
  "whatsapp_click",
]);
export type VisitStep = z.output<typeof VisitStep>;

/** What metrics need to know of an event. */
export const CountableEvent = z.object({
  session_id: z.string(),
  event_id: z.string(),
  name: AnalyticsEventName,
  day: Day,
  occurred_at: z.string(),
  path: z.string().nullable(),
  source: z.string().nullable(),
  items: z.array(z.object({ thing: z.string(), quantity: z.int() })),
  value: z.int(),
  currency: Currency.nullable(),
});
export type CountableEvent = z.output<typeof CountableEvent>;

/** A session on one day, as far as it was counted. */
export const Visit = z.object({
  session_id: z.string(),
  day: Day,
  steps: z.array(VisitStep),
  /** Whether it is known with which page it began. */
  landed: z.boolean(),
  version: z.int().min(1),
});
export type Visit = z.output<typeof Visit>;

/** Where sessions come from that nothing led here. */
export const direct = "direct";

/** How a thing of an event is named until it is looked up: `product:<id or slug>`, `sofa:…`, `sku:…`. */
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
    value: event.value ?? 0,
    currency: event.currency ?? null,
  };
}

export interface CountedEvents {
  readonly tally: Tally;
  /** Those that are new or came further, as they are afterwards. */
  readonly visits: readonly Visit[];
}

/**
 * What events of one day amount to; each of them must be counted for the first time.
 *
 * @param known.visits as they stand
 * @param known.productOf the id of a thing, if the shop sells it
 * @param known.currency the store's: worth in any other is left out
 */
export function countEvents(
  day: Day,
  events: readonly CountableEvent[],
  known: {
    visits: readonly Visit[];
    productOf: (thing: string) => string | undefined;
    currency: string;
  },
): CountedEvents {
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

/** The same metrics for the day and for its month. */
const inRows = (topic: "traffic" | "products", day: Day, metrics: Metrics): Tally[] =>
  rowsOf(topic, day).map((row) => ({ [row]: metrics }));

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
): { tallies: Tally[]; visit: Visit | undefined } {
  const { session_id, day } = before;
  const known: Omit<Visit, "session_id" | "day"> =
    "version" in before ? before : { steps: [], landed: false, version: 0 };
  const reached = new Set(events.flatMap(({ name }) => VisitStep.safeParse(name).data ?? []));
  const steps = [...reached].filter((step) => !known.steps.includes(step));
  const landing = known.landed ? undefined : firstPage(events);
  if (known.version > 0 && steps.length === 0 && !landing) return { tallies: [], visit: undefined };

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
      version: known.version + 1,
    },
  };
}

/** The page that a session began with, and where it came from. */
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
