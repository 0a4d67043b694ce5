/** Draws charts as SVG. The text uses the viewer's own font. */

const colors = [
  "#1f6f8b",
  "#c8553d",
  "#588157",
  "#8d6a9f",
  "#d19c1d",
  "#3d405b",
  "#7a7a7a",
  "#e58fb1",
];
const [width, right, top] = [860, 60, 56];

/** About the width of a label in the viewer's own font. */
const widthOf = ({ length }: string): number => 6.6 * length;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function text(x: number, y: number, content: string, more = ""): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escaped(content)}</text>`;
}

function picture(height: number, title: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#222">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(16, 26, title, 'font-size="16" font-weight="bold"'),
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

interface Bars {
  readonly title: string;
  /** The labels of the bars within each row. */
  readonly kinds: readonly string[];
  readonly rows: Readonly<Record<string, readonly number[]>>;
}

/** Horizontal bars that start at 0, with the value after each bar. */
export function barChart({ title, kinds, rows }: Bars): string {
  const most = Math.max(...Object.values(rows).flat());
  const left = 24 + Math.max(...Object.keys(rows).map(widthOf));
  const scale = (width - left - right) / most;
  const bar = 11;
  const row = kinds.length * bar + 9;
  const entries = Object.entries(rows);
  const height = top + entries.length * row + 24;
  const bars = entries.flatMap(([name, values], index) => {
    const y = top + index * row;
    return [
      text(left - 8, y + (kinds.length * bar) / 2 + 4, name, 'text-anchor="end"'),
      ...values.flatMap((value, kind) => [
        `<rect x="${left.toFixed(1)}" y="${y + kind * bar}" width="${(value * scale).toFixed(1)}" height="${bar - 2}" fill="${colors[kind]}"/>`,
        text(left + value * scale + 4, y + kind * bar + 9, value.toFixed(1), 'font-size="9"'),
      ]),
    ];
  });
  return picture(height, title, [...legend(kinds, left), ...bars]);
}

const legend = (names: readonly string[], left: number): string[] =>
  names.flatMap((name, index) => {
    const x = names.slice(0, index).reduce((end, before) => end + 40 + widthOf(before), left);
    return [
      `<rect x="${x.toFixed(1)}" y="36" width="10" height="10" fill="${colors[index]}"/>`,
      text(x + 15, 45, name),
    ];
  });

interface Lines {
  readonly title: string;
  readonly xLabel: string;
  /** Values of the horizontal axis, which is logarithmic. */
  readonly xs: readonly number[];
  /** A line's name → one value per entry of `xs`. The vertical axis is logarithmic too. */
  readonly lines: Readonly<Record<string, readonly number[]>>;
}

/** A chart with a line per request. A flat line shows that the cost does not depend on the size. */
export function lineChart({ title, xLabel, xs, lines }: Lines): string {
  const [height, chartLeft, chartRight, bottom] = [420, 60, 240, 370];
  const first = Math.log(xs[0] ?? 1);
  const span = Math.log(xs.at(-1) ?? 1) - first || 1;
  const most = Math.max(10, ...Object.values(lines).flat());
  const xOf = (x: number) =>
    chartLeft + ((Math.log(x) - first) / span) * (width - chartLeft - chartRight);
  const yOf = (y: number) => bottom - (Math.log(Math.max(1, y)) / Math.log(most)) * (bottom - top);
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((step) => step <= most);
  const grid = steps.flatMap((step) => [
    `<path d="M${chartLeft} ${yOf(step).toFixed(1)}H${width - chartRight}" stroke="#ddd"/>`,
    text(chartLeft - 8, yOf(step) + 4, String(step), 'text-anchor="end"'),
  ]);
  const drawn = Object.entries(lines).flatMap(([name, ys], index) => {
    const color = colors[index % colors.length] ?? "#222";
    const points = ys.map((y, at) => `${xOf(xs[at] ?? 1).toFixed(1)},${yOf(y).toFixed(1)}`);
    return [
      `<polyline points="${points.join(" ")}" fill="none" stroke="${color}" stroke-width="2"/>`,
      `<rect x="${width - chartRight + 16}" y="${top + index * 20 - 9}" width="10" height="10" fill="${color}"/>`,
      text(width - chartRight + 32, top + index * 20, name),
    ];
  });
  const axis = xs.map((x) =>
    text(xOf(x), bottom + 20, x.toLocaleString("en"), 'text-anchor="middle"'),
  );
  const label = text(
    (chartLeft + width - chartRight) / 2,
    bottom + 40,
    xLabel,
    'text-anchor="middle"',
  );
  return picture(height, title, [...grid, ...drawn, ...axis, label]);
}
