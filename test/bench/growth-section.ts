import { lineChart } from "./pictures.ts";
import type { Section } from "./report.ts";

/** The name of a request → its cost at each size. */
export type GrowthFigures = Record<string, { units: number; us: number }[]>;

interface Growth {
  readonly title: string;
  readonly note: string;
  /** What grows, such as orders. */
  readonly of: string;
  readonly sizes: readonly number[];
  readonly measured: GrowthFigures;
  /** The picture's file name. */
  readonly picture: string;
}

/** A section of the report: a table with a row per request, and a chart with a line per request. */
export function growthOf({ title, note, of, sizes, measured, picture }: Growth): Section {
  const least = Math.min(...Object.values(measured).flatMap((costs) => costs.map(({ us }) => us)));
  return {
    title,
    note,
    columns: [
      "request",
      ...sizes.flatMap((size) => [`units at ${size}`, `µs at ${size}`]),
      `× from ${sizes[0]} to ${sizes.at(-1)}`,
    ],
    rows: Object.entries(measured).map(([name, costs]) => [
      name,
      ...costs.flatMap(({ units, us }) => [units, us]),
      (costs.at(-1)?.us ?? 0) / (costs[0]?.us ?? 1),
    ]),
    pictures: {
      [picture]: lineChart({
        title: `${title}: CPU per request, × the cheapest`,
        xLabel: of,
        xs: sizes,
        lines: Object.fromEntries(
          Object.entries(measured).map(([name, costs]) => [
            name,
            costs.map(({ us }) => us / least),
          ]),
        ),
      }),
    },
  };
}
