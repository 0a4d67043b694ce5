import { type CountableEvent, countEvents, direct } from "#shared/domain/metrics/event-metrics.ts";
import { type Tally, sumOf } from "#shared/domain/metrics/metrics.ts";
import type { SearchEvent } from "#shared/domain/metrics/search-metrics.ts";
import { daysAfter } from "#shared/domain/metrics/insight-range.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { addTallies } from "#shared/storage/metrics/metrics.ts";
import { countSearches } from "#shared/storage/metrics/search-days.ts";
import type { Write } from "#shared/storage/writes.ts";
import type { DemoShop } from "./demo-shop.ts";
import { currency } from "./identity.ts";

const days = 62;
const sessionsOnAnAverageDay = 20;
/** Most visits are at weekends; Sunday is day 0. */
const rhythm = [1.5, 0.8, 0.75, 0.8, 0.9, 1.05, 1.4];

/** Sources and landing pages of visits. An entry that is repeated is chosen more often. */
const sources = [
  ...Array.from({ length: 8 }, () => "google.com"),
  ...Array.from({ length: 6 }, () => direct),
  ...Array.from({ length: 5 }, () => "instagram"),
  ...Array.from({ length: 2 }, () => "pinterest.com"),
  "letter",
  "bing.com",
];
const entrances = [
  "/",
  "/",
  "/",
  "/sofas",
  "/sofas",
  "/products",
  "/interiors",
  "/sofas/materials",
];

/** What visitors search for, with the number of results. Queries at the beginning are more frequent. */
const searches: readonly (readonly [query: string, results: number])[] = [
  ["sofa", 12],
  ["l shape sofa", 4],
  ["bed", 9],
  ["coffee table", 7],
  ["tv unit", 3],
  ["study table", 4],
  ["sofa cum bed", 2],
  ["rug", 5],
  ["3 seater sofa", 6],
  ["mattress", 0],
  ["dining table 6 seater", 5],
  ["recliner", 3],
  ["shoe rack", 0],
  ["bookshelf", 4],
  ["lamp", 6],
  ["bunk bed", 0],
];

/** Deterministic random numbers: the same visits at every start. */
type Chance = () => number;

/** The Park–Miller generator, from 0 to below 1. */
function chanceFrom(seed: number): Chance {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const oneOf = <Value>(values: readonly Value[], chance: Chance): Value =>
  values[Math.floor(chance() * values.length)]!;

/** An item that visitors may view. Those at the beginning of a list are viewed more often. */
interface Shown {
  readonly id: string;
  readonly path: string;
  readonly price: number;
}

/**
 * The metrics of two months of visits, computed by the production rules. The metrics of sales follow from the demo orders
 * instead.
 */
export function demoVisits(shop: DemoShop, now: Date): Write[] {
  const { timezone } = shop.settings.store;
  const chance = chanceFrom(20_261_121);
  const shown = shownItems(shop);
  const today = dayIn(timezone, now);
  const visits = Array.from({ length: days }, (_, ago) => {
    const day = daysAfter(today, ago - days);
    return { day, events: eventsOn(day, shown, chance) };
  });
  const tallies = visits.map(({ day, events }) => tallyOf(day, events));
  return [
    ...addTallies([{ tally: sumOf(...tallies), key: "visits of the demo shop" }]),
    ...visits.flatMap(({ day, events }) => countSearches(day, events, [])),
  ];
}

const shownItems = ({ products, sofas }: DemoShop): Shown[] => [
  ...sofas.map(({ id, slug, base_price: price }) => ({ id, path: `/sofas/${slug}`, price })),
  ...products
    .filter((_product, position) => position % 3 === 0)
    .map(({ id, slug, variants }) => ({
      id,
      path: `/products/${slug}`,
      price: variants[0]?.price ?? 0,
    })),
];

function eventsOn(day: string, shown: readonly Shown[], chance: Chance): CountableEvent[] {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  const sessions = sessionsOnAnAverageDay * (rhythm[weekday] ?? 1) * (0.8 + chance() * 0.4);
  return Array.from({ length: Math.round(sessions) }, (_, session) =>
    visit(day, `demo-${session}`, shown, chance),
  ).flat();
}

const tallyOf = (day: string, events: readonly CountableEvent[]): Tally =>
  countEvents(day, events, { visits: [], productOf: (id) => id, currency }).tally;

/** The events of one visitor. */
function visit(
  day: string,
  session_id: string,
  shown: readonly Shown[],
  chance: Chance,
): CountableEvent[] {
  const source = oneOf(sources, chance);
  const events: CountableEvent[] = [];
  const did = (
    name: CountableEvent["name"],
    path: string,
    { item, ...searched }: { item?: Shown } & Partial<SearchEvent> = {},
  ) =>
    events.push({
      search: null,
      search_query: null,
      ...searched,
      session_id,
      event_id: String(events.length),
      name,
      day,
      occurred_at: `${day}T10:00:00Z`,
      path,
      source,
      items: item ? [{ thing: item.id, quantity: 1 }] : [],
      value: name === "add_to_cart" ? (item?.price ?? 0) : 0,
      currency,
    });

  const entrance = oneOf(entrances, chance);
  did("page_view", entrance);
  if (chance() < 0.3) return events;
  let search_query: string | null = null;
  if (chance() < 0.25) {
    const [query, results] = searches[Math.floor(chance() ** 2 * searches.length)]!;
    did("search", entrance, { search: { query, results } });
    if (results > 0 && chance() < 0.6) search_query = query;
  }
  for (let looks = 1 + Math.floor(chance() * 4); looks > 0; looks--) {
    const item = shown[Math.floor(chance() ** 2 * shown.length)]!;
    did("page_view", item.path);
    did("view_item", item.path, { item, search_query });
    search_query = null;
    if (chance() < 0.12) did("add_to_cart", item.path, { item });
  }
  if (chance() < 0.04) did("whatsapp_click", entrance);
  if (events.some(({ name }) => name === "add_to_cart") && chance() < 0.4) {
    did("begin_checkout", "/checkout");
  }
  return events;
}
