import { callerOf } from "#shared/auth/rate-limit.ts";
import type { StoredEvent } from "#shared/domain/metrics/analytics-event.ts";
import { type RateCounters, limits } from "#shared/domain/request/rate-limits.ts";

interface Sender {
  readonly ip: string;
  readonly now: Date;
}

/**
 * The events with the searches that count: of each query, the first 20 from one caller and day. Events beyond are kept
 * without their query.
 */
export async function limitQueries(
  events: readonly StoredEvent[],
  { ip, now }: Sender,
  rates: RateCounters,
): Promise<StoredEvent[]> {
  const { calls, seconds } = limits.search_query;
  const window = Math.floor(now.getTime() / 1000 / seconds);
  const ofQueries = Map.groupBy(events, countedAs);
  const excess = await Promise.all(
    Array.from(ofQueries, async ([query, of]) => {
      if (query === null) return [];
      const caller = `${callerOf(ip)} ${query}`;
      const by = of.length;
      const count = await rates.increment({ limit: "search_query", caller, window, seconds, by });
      return of.slice(Math.max(0, by - Math.max(0, count - calls)));
    }),
  );
  const left = new Set(excess.flat());
  return events.map((event) =>
    left.has(event) ? { ...event, search: null, search_query: null } : event,
  );
}

/** The query of an event, as it is counted: searches and clicks separately. */
function countedAs({ search, search_query }: StoredEvent): string | null {
  if (search) return `search ${search.query}`;
  return search_query ? `click ${search_query}` : null;
}
