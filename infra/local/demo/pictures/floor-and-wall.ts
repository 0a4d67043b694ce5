import type { Draw } from "./silhouette.ts";
import { block, ellipse, path, rect, solid, stroke, times, tone, type Svg } from "./svg.ts";

/** Rugs are drawn from above: `height` is their depth. */
const rugWith =
  (pattern: (w: number, h: number, main: string, accent: string) => Svg): Draw =>
  (w, h, { main, accent }) =>
    stroke(
      times(
        Math.floor(h / 60),
        (thread) => `M-50 ${30 + 60 * thread}H0M${w} ${30 + 60 * thread}H${w + 50}`,
      ),
      tone(main, 0.5),
      14,
    ) +
    rect(0, 0, w, h, 8, main) +
    pattern(w, h, main, accent);

export const stripedRug = rugWith((w, h, main, accent) =>
  times(11, (stripe) =>
    rect(
      (w / 11) * stripe + w * 0.02,
      0,
      w * (stripe % 3 === 0 ? 0.05 : 0.02),
      h,
      0,
      stripe % 2 ? accent : tone(main, 0.35),
    ),
  ),
);

export const medallionRug = rugWith((w, h, main, accent) =>
  [
    rect(w * 0.05, h * 0.07, w * 0.9, h * 0.86, 0, tone(accent, 0.1)),
    rect(w * 0.075, h * 0.11, w * 0.85, h * 0.78, 0, tone(main, 0.12)),
    path(
      `M${w / 2} ${h * 0.2}L${w * 0.78} ${h / 2}L${w / 2} ${h * 0.8}L${w * 0.22} ${h / 2}Z`,
      accent,
    ),
    path(
      `M${w / 2} ${h * 0.3}L${w * 0.68} ${h / 2}L${w / 2} ${h * 0.7}L${w * 0.32} ${h / 2}Z`,
      tone(main, 0.4),
    ),
    ellipse(w / 2, h / 2, w * 0.09, h * 0.1, main),
    [0.14, 0.86]
      .flatMap((x) => [0.2, 0.8].map((y) => ellipse(w * x, h * y, w * 0.045, h * 0.06, accent)))
      .join(""),
  ].join(""),
);

export const diamondRug = rugWith(
  (w, h, main, accent) =>
    stroke(
      times(6, (column) =>
        times(4, (row) => {
          const [x, y, dx, dy] = [(w / 6) * (column + 0.5), (h / 4) * (row + 0.5), w / 14, h / 10];
          return `M${x} ${y - dy}L${x + dx} ${y}L${x} ${y + dy}L${x - dx} ${y}Z`;
        }),
      ),
      accent,
      22,
    ) +
    rect(w * 0.02, h * 0.03, w * 0.96, h * 0.012, 0, tone(main, -0.25)) +
    rect(w * 0.02, h * 0.958, w * 0.96, h * 0.012, 0, tone(main, -0.25)),
);

export const roundRug: Draw = (w, h, { main, accent }) =>
  times(7, (ring) =>
    ellipse(
      w / 2,
      h / 2,
      (w / 2) * (1 - ring * 0.14),
      (h / 2) * (1 - ring * 0.14),
      ring % 2 ? accent : ring % 3 ? tone(main, 0.15) : main,
    ),
  );

const glass = "#dfe9ea";
const glint = (w: number, h: number) =>
  path(
    `M${w * 0.24} ${h * 0.62}L${w * 0.58} ${h * 0.2}H${w * 0.68}L${w * 0.3} ${h * 0.7}Z`,
    "#f6fbfb",
  );

export const archMirror: Draw = (w, h, { main }) => {
  const arch = (inset: number) =>
    `M${inset} ${h - inset}V${w / 2}A${w / 2 - inset} ${w / 2 - inset} 0 0 1 ${w - inset} ${w / 2}V${h - inset}Z`;
  return solid(arch(0), main) + path(arch(44), glass) + glint(w, h);
};

export const roundMirror: Draw = (w, h, { main }) =>
  ellipse(w / 2, h / 2, w / 2, h / 2, main) +
  ellipse(w / 2, h / 2, w * 0.44, h * 0.44, glass) +
  glint(w, h);

export const cushion: Draw = (w, h, { main, accent }) =>
  solid(
    `M${w * 0.04} ${h * 0.03}Q${w / 2} ${h * 0.09} ${w * 0.96} ${h * 0.03}Q${w * 0.92} ${h / 2} ${w * 0.98} ${h * 0.97}Q${w / 2} ${h * 0.92} ${w * 0.02} ${h * 0.97}Q${w * 0.08} ${h / 2} ${w * 0.04} ${h * 0.03}Z`,
    main,
  ) +
  times(3, (line) =>
    stroke(
      `M${w * 0.12} ${h * (0.3 + 0.2 * line)}Q${w / 2} ${h * (0.33 + 0.2 * line)} ${w * 0.88} ${h * (0.3 + 0.2 * line)}`,
      accent,
      w * 0.02,
    ),
  );

export const plant: Draw = (w, h, { main, accent }) =>
  [-0.42, -0.26, -0.1, 0.08, 0.24, 0.42]
    .map((lean, leaf) => {
      const [x, y] = [w * (0.5 + lean), h * (0.08 + 0.5 * Math.abs(lean))];
      return (
        stroke(
          `M${w / 2} ${h * 0.72}Q${w * (0.5 + lean * 0.3)} ${h * 0.4} ${x} ${y + h * 0.08}`,
          tone(main, -0.2),
          12,
        ) +
        `<g transform="translate(${Math.round(x)} ${Math.round(y + h * 0.06)}) rotate(${Math.round(lean * 110)})">${ellipse(0, 0, w * 0.11, h * 0.13, leaf % 2 ? main : tone(main, 0.15))}</g>`
      );
    })
    .join("") + block(w * 0.26, h * 0.7, w * 0.48, h * 0.3, 30, accent);
