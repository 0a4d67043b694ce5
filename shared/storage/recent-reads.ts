import type { Read } from "./reads.ts";
import type { Table } from "./table.ts";

/** Reads of records that many requests display. */
export interface RecentReads {
  /**
   * Reads like the table, but reuses records that were read in the last two seconds. Use it to show carts, but `latest`
   * to change them.
   */
  current: Table["getMany"];
  /** Reads like the table. Later calls of `current` reuse the records that `latest` has returned. */
  latest: Table["getMany"];
  /** Reads for one request: `current` reuses only what the request itself has read. */
  ofRequest(): RecentReads;
}

/** How long a record is reused, in ms. */
const freshFor = 2_000;
const mostRecords = 500;

/**
 * Opens reads that reuse recently read records.
 *
 * @param reused entities whose records are reused; they are always read whole, never by a projection. A record that
 * does not exist is looked up again each time
 * @param now in milliseconds, for the age of a record
 */
export function openRecentReads(
  table: Pick<Table, "getMany">,
  reused: readonly { readonly name: string }[],
  now: () => number = Date.now,
): RecentReads {
  const names = new Set(reused.map(({ name }) => name));
  const recent = new Map<string, { readonly record: unknown; readonly at: number }>();
  const nameOf = ({ key }: Read) => `${key.pk}\n${key.sk}`;

  function recentRecord(read: Read): unknown {
    const known = recent.get(nameOf(read));
    return known && now() - known.at < freshFor ? known.record : undefined;
  }

  function remember(read: Read, record: unknown, at: number): void {
    const isNewest = at >= (recent.get(nameOf(read))?.at ?? 0);
    if (record && names.has(read.entity) && isNewest) recent.set(nameOf(read), { record, at });
  }

  const readWith =
    (knownRecord: (read: Read) => unknown): Table["getMany"] =>
    async (groups) => {
      const reads = Object.values(groups).flat();
      const records = new Map(reads.map((read) => [read, knownRecord(read)]));
      const missing = reads.filter((read) => records.get(read) === undefined);
      const at = now();
      const { found } = await table.getMany({ found: missing });
      if (recent.size + missing.length > mostRecords) recent.clear();
      for (const [position, read] of missing.entries()) {
        records.set(read, found[position]);
        remember(read, found[position], at);
      }
      // The type of `fromEntries` does not tell which group has which records.
      return Object.fromEntries(
        Object.entries(groups).map(([group, of]) => [group, of.map((read) => records.get(read))]),
      ) as Awaited<ReturnType<typeof table.getMany<typeof groups>>>;
    };
  const latest = readWith(() => undefined);
  return {
    current: readWith(recentRecord),
    latest,
    ofRequest: () => openRecentReads({ getMany: latest }, reused, now),
  };
}
