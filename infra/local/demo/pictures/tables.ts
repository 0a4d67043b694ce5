import type { Draw } from "./silhouette.ts";
import { block, ellipse, path, rect, solid, stroke, times, tone } from "./svg.ts";

const vase = (x: number, floor: number, size: number, fill: string) =>
  stroke(
    `M${x} ${floor - size * 0.8}Q${x - size * 0.3} ${floor - size * 1.5} ${x - size * 0.5} ${floor - size * 1.9}M${x} ${floor - size * 0.8}Q${x + size * 0.1} ${floor - size * 1.6} ${x + size * 0.35} ${floor - size * 2.1}`,
    "#7d8f69",
    size * 0.07,
  ) +
  ellipse(x - size * 0.52, floor - size * 1.9, size * 0.14, size * 0.24, "#8fa57a") +
  ellipse(x + size * 0.37, floor - size * 2.1, size * 0.13, size * 0.25, "#7d9a6b") +
  solid(
    `M${x - size * 0.16} ${floor - size}H${x + size * 0.16}Q${x + size * 0.5} ${floor - size * 0.5} ${x + size * 0.28} ${floor}H${x - size * 0.28}Q${x - size * 0.5} ${floor - size * 0.5} ${x - size * 0.16} ${floor - size}Z`,
    fill,
  );

const slab = (w: number, thick: number, fill: string) =>
  block(0, 0, w, thick, 8, fill) + rect(0, thick * 0.72, w, thick * 0.28, 6, tone(fill, -0.18));

export const diningTable: Draw = (w, h, { main, frame }) =>
  [
    path(`M${w * 0.1} 40H${w * 0.155}L${w * 0.125} ${h}H${w * 0.085}Z`, tone(frame, -0.1)),
    path(`M${w * 0.9} 40H${w * 0.845}L${w * 0.875} ${h}H${w * 0.915}Z`, tone(frame, -0.1)),
    rect(w * 0.09, 40, w * 0.82, h * 0.11, 4, tone(frame, -0.18)),
    slab(w, 46, main),
    [0.12, 0.46, 0.7]
      .map((x) => stroke(`M${w * x} 16H${w * (x + 0.16)}`, tone(main, -0.12), 4))
      .join(""),
  ].join("");

export const trestleTable: Draw = (w, h, { main, frame }) =>
  [
    rect(w * 0.2, h * 0.74, w * 0.6, 50, 4, tone(frame, -0.22)),
    [0.16, 0.84]
      .map((x) =>
        stroke(
          `M${w * x - 90} ${h - 22}L${w * x + 90} 60M${w * x + 90} ${h - 22}L${w * x - 90} 60`,
          frame,
          52,
        ),
      )
      .join(""),
    slab(w, 54, main),
  ].join("");

export const pedestalTable: Draw = (w, h, { main, frame }) =>
  [
    solid(
      `M${w * 0.46} 40H${w * 0.54}L${w * 0.57} ${h * 0.6}Q${w * 0.6} ${h * 0.9} ${w * 0.72} ${h}H${w * 0.28}Q${w * 0.4} ${h * 0.9} ${w * 0.43} ${h * 0.6}Z`,
      frame,
    ),
    ellipse(w / 2, 30, w / 2, 30, tone(main, -0.2)),
    ellipse(w / 2, 20, w / 2, 26, main) + ellipse(w / 2, 20, w / 2, 26, "url(#lit)"),
  ].join("");

export const coffeeTable: Draw = (w, h, { main, frame, accent }) =>
  [
    path(`M${w * 0.08} 40H${w * 0.15}L${w * 0.1} ${h}H${w * 0.065}Z`, frame),
    path(`M${w * 0.92} 40H${w * 0.85}L${w * 0.9} ${h}H${w * 0.935}Z`, frame),
    rect(w * 0.1, h * 0.68, w * 0.8, 26, 6, tone(frame, -0.14)),
    rect(w * 0.3, h * 0.68 - 62, 260, 30, 3, accent) +
      rect(w * 0.31, h * 0.68 - 32, 240, 32, 3, tone(accent, 0.4)),
    slab(w, 44, main),
  ].join("");

export const drumTable: Draw = (w, h, { main, frame }) =>
  [
    solid(`M${w * 0.05} 20H${w * 0.95}V${h - 30}Q${w / 2} ${h + 20} ${w * 0.05} ${h - 30}Z`, frame),
    times(15, (flute) =>
      stroke(`M${w * (0.08 + 0.06 * flute)} 60V${h - 30}`, tone(frame, -0.18), 9),
    ),
    ellipse(w / 2, 26, w / 2, 26, tone(main, -0.15)) + ellipse(w / 2, 18, w / 2, 22, main),
  ].join("");

export const nestingTables: Draw = (w, h, { main, frame }) =>
  [
    stroke(
      `M${w * 0.06} 30L${w * 0.04} ${h}M${w * 0.62} 30L${w * 0.64} ${h}M${w * 0.34} 30V${h}`,
      frame,
      24,
    ),
    ellipse(w * 0.34, 22, w * 0.34, 24, main) + ellipse(w * 0.34, 22, w * 0.34, 24, "url(#lit)"),
    stroke(
      `M${w * 0.56} ${h * 0.3}L${w * 0.54} ${h}M${w * 0.94} ${h * 0.3}L${w * 0.96} ${h}M${w * 0.75} ${h * 0.3}V${h}`,
      tone(frame, 0.15),
      22,
    ),
    ellipse(w * 0.75, h * 0.29, w * 0.25, 22, tone(main, 0.18)) +
      ellipse(w * 0.75, h * 0.29, w * 0.25, 22, "url(#lit)"),
  ].join("");

export const sideTable: Draw = (w, h, { main, frame, accent }) =>
  [
    stroke(
      `M${w * 0.2} ${h * 0.36}L${w * 0.1} ${h - 12}M${w * 0.8} ${h * 0.36}L${w * 0.9} ${h - 12}M${w * 0.5} ${h * 0.36}V${h - 12}`,
      frame,
      26,
    ),
    vase(w * 0.62, h * 0.35, h * 0.16, accent),
    ellipse(w / 2, h * 0.37, w / 2, 24, tone(main, -0.22)),
    ellipse(w / 2, h * 0.35, w / 2, 24, main) + ellipse(w / 2, h * 0.35, w / 2, 24, "url(#lit)"),
  ].join("");

export const desk: Draw = (w, h, { main, frame }) =>
  [
    path(`M${w * 0.05} 40H${w * 0.1}L${w * 0.07} ${h}H${w * 0.04}Z`, frame),
    path(`M${w * 0.95} 40H${w * 0.9}L${w * 0.93} ${h}H${w * 0.96}Z`, frame),
    rect(w * 0.07, 40, w * 0.86, h * 0.17, 4, tone(main, -0.1)),
    times(3, (drawer) =>
      block(w * (0.08 + 0.285 * drawer), 52, w * 0.27, h * 0.13, 6, tone(main, 0.06)),
    ),
    times(3, (drawer) =>
      rect(w * (0.19 + 0.285 * drawer), 52 + h * 0.055, w * 0.05, 14, 7, "#b98d4a"),
    ),
    slab(w, 40, main),
  ].join("");

export const pedestalDesk: Draw = (w, h, { main, frame }) =>
  [
    rect(w * 0.05, 40, 40, h - 40, 4, frame) + rect(w * 0.12, 40, 34, h - 60, 4, tone(frame, -0.2)),
    block(w * 0.66, 40, w * 0.3, h - 60, 8, tone(main, -0.08)),
    times(
      3,
      (drawer) =>
        block(
          w * 0.675,
          60 + (h - 110) * (drawer / 3),
          w * 0.27,
          (h - 110) / 3 - 14,
          6,
          tone(main, 0.06),
        ) + rect(w * 0.78, 60 + (h - 110) * (drawer / 3) + 40, w * 0.06, 14, 7, "#b98d4a"),
    ),
    slab(w, 44, main),
  ].join("");
