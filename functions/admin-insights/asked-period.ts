import * as z from "zod";
import type { FigureTopic, Figures } from "#shared/domain/figures.ts";
import {
  type DayRange,
  Granularity,
  askedRange,
  mostDays,
  rangeBefore,
  spansOf,
  usualDays,
} from "#shared/domain/insight-range.ts";
import { type FigureOf, type FiguresByPeriod, seriesOf, sumOver } from "#shared/domain/insights.ts";
import { dayIn } from "#shared/domain/shipping.ts";
import { Day } from "#shared/domain/text.ts";
import { invalidField } from "#shared/http/errors.ts";
import { readFigures } from "#shared/storage/figures.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Deps } from "./deps.ts";

export const PeriodQuery = z.strictObject({
  from: Day.optional().meta({
    description: `The first day, in the store's timezone: ${usualDays - 1} days before \`to\` unless given, at most ${mostDays - 1}`,
  }),
  to: Day.optional().meta({ description: "The last day; today unless given" }),
  granularity: Granularity.default("day").meta({
    description: "What a point of the series stands for; weeks begin on Mondays",
  }),
});

export interface AskedPeriod {
  readonly range: DayRange;
  readonly previous: DayRange;
  readonly granularity: Granularity;
  readonly currency: string;
}

interface PeriodCall {
  readonly query: z.output<typeof PeriodQuery>;
  readonly now: Date;
}

/** @throws AppError `validation_failed` when there are no such days, or too many */
export async function askedPeriod(
  { query, now }: PeriodCall,
  { settings }: Pick<Deps, "settings">,
): Promise<AskedPeriod> {
  const { store } = await settings.current();
  const asked = askedRange(query, dayIn(store.timezone, now));
  if (!asked.ok) throw invalidField(asked.path, asked.message);
  return {
    range: asked.range,
    previous: rangeBefore(asked.range),
    granularity: query.granularity,
    currency: store.currency,
  };
}

/** The figures of each day of the period and of the one before it. */
export const readBoth = (
  table: Table,
  topic: FigureTopic,
  { range, previous }: Pick<AskedPeriod, "range" | "previous">,
): Promise<FiguresByPeriod> => readFigures(table, { topic, from: previous.from, to: range.to });

/** The sums of a whole range, of what is counted by month as well: its cost does not follow the number of days. */
export async function readSums(
  table: Table,
  topic: "traffic" | "products",
  range: DayRange,
): Promise<Figures> {
  const spans = await Promise.all(
    spansOf(range).map((span) => readFigures(table, { topic, ...span })),
  );
  const sums = new Map<string, number>();
  for (const figures of spans.flatMap((span) => [...span.values()])) {
    for (const [name, by] of Object.entries(figures)) sums.set(name, (sums.get(name) ?? 0) + by);
  }
  return Object.fromEntries(sums);
}

/** The members of an answer that compares a period with the one before. */
export function compared<Figures extends object>(
  { range, previous, granularity }: AskedPeriod,
  figuresOf: (range: DayRange) => Figures,
) {
  return {
    ...range,
    previous,
    totals: figuresOf(range),
    previous_totals: figuresOf(previous),
    series: seriesOf(range, granularity, figuresOf),
  };
}

/** Sums rows over whatever range is asked for. */
export const summing =
  (rows: FiguresByPeriod) =>
  (range: DayRange): FigureOf =>
    sumOver(rows, range);
