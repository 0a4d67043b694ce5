import { membersOf, namesOf } from "../base/members.ts";
import * as z from "zod";
import type { Day } from "../base/text.ts";

/**
 * The topics of metrics. `standing` holds current totals. All other topics are counted by day, and `traffic` and
 * `products` also by month.
 */
export const MetricTopic = z.enum([
  "events",
  "traffic",
  "products",
  "sales",
  "leads",
  "messages",
  "standing",
]);
export type MetricTopic = z.output<typeof MetricTopic>;

/** A day `2026-11-21`, a month `2026-11`, or `now`. */
export type Period = string;
export type RowName = `${MetricTopic}#${Period}`;

/** The metrics of one row, keyed by name. */
export const Metrics = z.record(z.string(), z.int());
export type Metrics = Readonly<z.output<typeof Metrics>>;

/** The metrics that a record contributes, keyed by row. */
export const Tally = z.record(z.string(), Metrics);
export type Tally = Readonly<Record<RowName, Metrics>>;

export const rowName = (topic: MetricTopic, period: Period): RowName => `${topic}#${period}`;
export const monthOf = (day: Day): Period => day.slice(0, 7);

/** The rows of a topic that is counted by day and by month. */
export const topicRows = (topic: "traffic" | "products", day: Day): RowName[] => [
  rowName(topic, day),
  rowName(topic, monthOf(day)),
];

/** The sum of tallies, without metrics that are 0. */
export const sumOf = (...tallies: readonly Tally[]): Tally =>
  added(tallies.map((tally) => ({ tally, sign: 1 })));

/** The tally that, added to `before`, gives `after`. */
export const difference = (before: Tally, after: Tally): Tally =>
  added([
    { tally: after, sign: 1 },
    { tally: before, sign: -1 },
  ]);

function added(parts: readonly { tally: Tally; sign: 1 | -1 }[]): Tally {
  const rows = new Map<RowName, Map<string, number>>();
  for (const { tally, sign } of parts) {
    for (const [row, metrics] of membersOf(tally)) {
      const into = rows.get(row) ?? new Map<string, number>();
      rows.set(row, into);
      for (const [name, by] of Object.entries(metrics)) {
        into.set(name, (into.get(name) ?? 0) + sign * by);
      }
    }
  }
  return Object.fromEntries(
    Array.from(rows, ([row, metrics]) => [row, [...metrics].filter(([, by]) => by !== 0)] as const)
      .filter(([, metrics]) => metrics.length > 0)
      .map(([row, metrics]) => [row, Object.fromEntries(metrics)]),
  );
}

/**
 * Maximum number of distinct names per metric in a row, for metrics by path, source or product. Clients can send
 * invented names and reach the limit. Further names are counted together as "others".
 */
const roomFor = {
  /** Sessions by source and by first page; views by page. */
  source: 100,
  landing: 150,
  page: 250,
  /** By product: views, units added to carts, units sold, revenue, sold units that came back. */
  viewed: 500,
  carted: 500,
  sold: 500,
  revenue: 500,
  returned: 500,
} as const satisfies Record<string, number>;
/** What sales are divided by, besides the day. Their names are few: a shop's channels, locations and staff. */
export type SaleDivision = "channel" | "location" | "seller";
/** What sold units that came back are divided by: a shop's reasons, and whose fault they are. */
export type ReturnDivision = "returnedFor" | "returnedBy";
export type NamedMetric =
  | keyof typeof roomFor
  | `${SaleDivision}${"Orders" | "Revenue"}`
  | ReturnDivision;

/**
 * The name of the metric for one source, page or product. An empty `name` stands for all names beyond the row's limit.
 * The result contains only letters, digits and `_`.
 */
export function metricOf(kind: NamedMetric, name = ""): string {
  const written = encodeURIComponent(name).replaceAll(
    /[_.!~*'()-]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `${kind}_${written.replaceAll("%", "_")}`;
}

/**
 * The sources, pages or products with a metric in a row, each with the value. `""` stands for all names beyond the
 * row's limit together.
 */
export function namesIn(metrics: Metrics, kind: NamedMetric): [thing: string, metric: number][] {
  const beginning = `${kind}_`;
  return Object.entries(metrics).flatMap(([name, metric]) =>
    name.startsWith(beginning) ? [[thingOf(name.slice(beginning.length)), metric]] : [],
  );
}

const thingOf = (written: string) => decodeURIComponent(written.replaceAll("_", "%"));

const kindOf = (name: string): keyof typeof roomFor | undefined => {
  const kind = name.slice(0, name.indexOf("_"));
  return namesOf(roomFor).find((known) => known === kind);
};

/** Whether a row limits the number of distinct names per metric. */
export const needsRoom = (row: RowName): boolean => /^(?:traffic|products)#/.test(row);

/**
 * The tally in which names beyond a row's limit are counted together as others.
 *
 * @param rows the stored rows that limit the number of distinct names per metric
 */
export const withinRoom = (tally: Tally, rows: ReadonlyMap<RowName, Metrics | undefined>): Tally =>
  Object.fromEntries(
    membersOf(tally).map(([row, metrics]) => [
      row,
      needsRoom(row) ? placed(metrics, rows.get(row) ?? {}) : metrics,
    ]),
  );

function placed(metrics: Metrics, standing: Metrics): Metrics {
  const taken = new Map<keyof typeof roomFor, Set<string>>();
  for (const name of Object.keys(standing)) {
    const kind = kindOf(name);
    if (kind) taken.set(kind, (taken.get(kind) ?? new Set()).add(name));
  }
  const result = new Map<string, number>();
  for (const [name, by] of Object.entries(metrics)) {
    const place = placeIn(taken, name);
    result.set(place, (result.get(place) ?? 0) + by);
  }
  return Object.fromEntries(result);
}

function placeIn(taken: Map<keyof typeof roomFor, Set<string>>, name: string): string {
  const kind = kindOf(name);
  if (!kind) return name;
  const names = taken.get(kind) ?? new Set();
  if (!names.has(name) && names.size >= roomFor[kind]) return metricOf(kind);
  taken.set(kind, names.add(name));
  return name;
}
