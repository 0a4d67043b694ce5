import type { Draw } from "./silhouette.ts";
import { block, ellipse, path, rect, solid, stroke, times, tone, type Svg } from "./svg.ts";

const linen = "#f4efe6";

/** The bedding, drawn over the headboard; `top` is where the pillows begin. */
const bedding = (w: number, h: number, top: number, accent: string): Svg =>
  [
    block(w * 0.03, h * 0.62, w * 0.94, h * 0.24, 40, "#fbf8f2"),
    [0.1, 0.53].map((x) => block(w * x, top, w * 0.37, h * 0.22, 70, linen)).join(""),
    block(w * 0.33, top + h * 0.07, w * 0.34, h * 0.17, 50, accent),
    block(w * 0.01, h * 0.58, w * 0.98, h * 0.26, 50, linen),
    block(w * 0.01, h * 0.68, w * 0.98, h * 0.17, 20, tone(accent, 0.35)),
  ].join("");

const bedBase = (w: number, h: number, fill: string): Svg =>
  rect(w * 0.05, h * 0.9, 60, h * 0.1, 4, tone(fill, -0.25)) +
  rect(w * 0.95 - 60, h * 0.9, 60, h * 0.1, 4, tone(fill, -0.25)) +
  block(0, h * 0.83, w, h * 0.11, 10, fill);

export const panelBed: Draw = (w, h, { main, accent }) =>
  block(0, 0, w, h * 0.8, 20, main) +
  times(5, (panel) => stroke(`M${(w / 6) * (panel + 1)} 40V${h * 0.5}`, tone(main, -0.16), 9)) +
  bedding(w, h, h * 0.38, accent) +
  bedBase(w, h, main);

export const caneBed: Draw = (w, h, { main, accent }) => {
  const panel = (x: number) =>
    rect(x, h * 0.08, w * 0.27, h * 0.4, 10, "#e6d3a8") +
    stroke(
      times(
        8,
        (line) =>
          `M${x + (w * 0.27 * (line + 1)) / 9} ${h * 0.08}V${h * 0.48}M${x} ${h * (0.08 + 0.044 * (line + 1))}H${x + w * 0.27}`,
      ),
      "#c7ac78",
      6,
    );
  return (
    block(0, 0, w, h * 0.8, 60, main) +
    [0.05, 0.365, 0.68].map((x) => panel(w * x)).join("") +
    bedding(w, h, h * 0.4, accent) +
    bedBase(w, h, main)
  );
};

export const upholsteredBed: Draw = (w, h, { main, frame, accent }) =>
  block(0, 0, w, h * 0.82, 90, main) +
  times(6, (channel) => stroke(`M${(w / 7) * (channel + 1)} 20V${h * 0.6}`, tone(main, -0.2), 12)) +
  bedding(w, h, h * 0.38, accent) +
  block(0, h * 0.8, w, h * 0.14, 40, tone(main, -0.05)) +
  rect(w * 0.06, h * 0.93, 70, h * 0.07, 6, frame) +
  rect(w * 0.94 - 70, h * 0.93, 70, h * 0.07, 6, frame);

export const posterBed: Draw = (w, h, { main, accent }) => {
  const low = h * 0.5;
  return (
    stroke(`M30 30V${h}M${w - 30} 30V${h}`, main, 56) +
    rect(0, 16, w, 44, 10, main) +
    path(`M60 60H${w * 0.2}Q${w * 0.12} ${h * 0.4} 90 ${h * 0.62}H60Z`, "#f6f1e8") +
    path(
      `M${w - 60} 60H${w * 0.8}Q${w * 0.88} ${h * 0.4} ${w - 90} ${h * 0.62}H${w - 60}Z`,
      "#f6f1e8",
    ) +
    block(50, h * 0.42, w - 100, h * 0.42, 20, tone(main, -0.06)) +
    `<g transform="translate(40 ${Math.round(low)})">${bedding(w - 80, low, low * 0.16, accent)}${bedBase(w - 80, low, main)}</g>`
  );
};

const glow = (x: number, y: number, r: number) => ellipse(x, y, r, r, "url(#glow)");
const shade = (
  x: number,
  y: number,
  top: number,
  bottom: number,
  tall: number,
  fill: string,
): Svg =>
  solid(
    `M${x - top / 2} ${y}H${x + top / 2}L${x + bottom / 2} ${y + tall}H${x - bottom / 2}Z`,
    fill,
  );

export const floorLamp: Draw = (w, h, { main, frame }) =>
  glow(w / 2, h * 0.14, w * 1.3) +
  stroke(`M${w / 2} ${h * 0.2}V${h - 20}`, frame, 20) +
  rect(w * 0.2, h - 28, w * 0.6, 28, 14, frame) +
  shade(w / 2, 0, w * 0.62, w, h * 0.22, main);

export const tripodLamp: Draw = (w, h, { main, frame }) =>
  glow(w / 2, h * 0.14, w * 1.1) +
  stroke(
    `M${w / 2} ${h * 0.24}L${w * 0.06} ${h - 12}M${w / 2} ${h * 0.24}L${w * 0.94} ${h - 12}M${w / 2} ${h * 0.24}L${w * 0.56} ${h - 12}`,
    frame,
    26,
  ) +
  shade(w / 2, 0, w * 0.6, w * 0.78, h * 0.24, main);

export const arcLamp: Draw = (w, h, { main, frame }) =>
  glow(w * 0.82, h * 0.22, w * 0.5) +
  stroke(
    `M${w * 0.14} ${h - 30}V${h * 0.32}Q${w * 0.16} 14 ${w * 0.5} 14T${w * 0.82} ${h * 0.14}`,
    frame,
    20,
  ) +
  block(0, h - 50, w * 0.3, 50, 12, "#e9e4da") +
  solid(
    `M${w * 0.64} ${h * 0.25}Q${w * 0.66} ${h * 0.13} ${w * 0.82} ${h * 0.13}T${w} ${h * 0.25}Z`,
    main,
  );

export const tableLamp: Draw = (w, h, { main, frame }) =>
  glow(w / 2, h * 0.25, w * 0.95) +
  solid(
    `M${w * 0.42} ${h * 0.46}H${w * 0.58}Q${w * 0.86} ${h * 0.7} ${w * 0.66} ${h}H${w * 0.34}Q${w * 0.14} ${h * 0.7} ${w * 0.42} ${h * 0.46}Z`,
    frame,
  ) +
  rect(w * 0.47, h * 0.4, w * 0.06, h * 0.08, 0, "#b98d4a") +
  shade(w / 2, 0, w * 0.6, w, h * 0.42, main);

export const pendant: Draw = (w, h, { main, frame }) =>
  stroke(`M${w / 2} 0V${h * 0.5}`, "#4a4038", 9) +
  glow(w / 2, h * 0.9, w * 0.8) +
  rect(w * 0.44, h * 0.46, w * 0.12, h * 0.08, 8, frame) +
  solid(
    `M0 ${h * 0.94}C${w * 0.04} ${h * 0.62} ${w * 0.3} ${h * 0.53} ${w / 2} ${h * 0.53}S${w * 0.96} ${h * 0.62} ${w} ${h * 0.94}Z`,
    main,
  ) +
  ellipse(w / 2, h * 0.94, w / 2, h * 0.03, tone(main, -0.35)) +
  ellipse(w / 2, h * 0.95, w * 0.1, h * 0.035, "#fff3d0");

/** A woven lampshade. */
export const wovenPendant: Draw = (w, h, { main }) =>
  stroke(`M${w / 2} 0V${h * 0.44}`, "#4a4038", 9) +
  glow(w / 2, h * 0.74, w * 0.8) +
  ellipse(w / 2, h * 0.72, w / 2, h * 0.28, tone(main, -0.05)) +
  times(9, (rib) =>
    stroke(
      `M${w * 0.5} ${h * 0.44}Q${w * (-0.1 + 0.15 * rib)} ${h * 0.72} ${w * 0.5} ${h}`,
      tone(main, -0.22),
      8,
    ),
  ) +
  times(5, (ring) => {
    const y = h * (0.52 + 0.1 * ring);
    const half = (w / 2) * Math.sqrt(Math.max(0, 1 - ((y - h * 0.72) / (h * 0.28)) ** 2));
    return stroke(
      `M${w / 2 - half} ${y}Q${w / 2} ${y + 16} ${w / 2 + half} ${y}`,
      tone(main, 0.25),
      8,
    );
  });

export const clusterPendant: Draw = (w, h, { main, frame }) =>
  rect(w * 0.2, 0, w * 0.6, 24, 10, frame) +
  [
    [0.2, 0.6],
    [0.5, 0.86],
    [0.8, 0.7],
  ]
    .map(
      ([x = 0, y = 0]) =>
        stroke(`M${w * x} 20V${h * y}`, frame, 8) +
        glow(w * x, h * y, w * 0.34) +
        ellipse(w * x, h * y, w * 0.17, w * 0.17, main) +
        ellipse(w * x, h * y, w * 0.17, w * 0.17, "url(#lit)"),
    )
    .join("");
