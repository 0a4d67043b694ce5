import type { Draw } from "./silhouette.ts";
import { block, ellipse, path, rect, stroke, times, tone, type Svg } from "./svg.ts";

const brass = "#b98d4a";
const cane = "#e6d3a8";

const feet = (w: number, h: number, tall: number, fill: string): Svg =>
  path(`M${w * 0.06} ${h - tall}H${w * 0.11}L${w * 0.085} ${h}H${w * 0.06}Z`, fill) +
  path(`M${w * 0.94} ${h - tall}H${w * 0.89}L${w * 0.915} ${h}H${w * 0.94}Z`, fill);

const wovenPanel = (x: number, y: number, w: number, h: number): Svg =>
  rect(x, y, w, h, 6, cane) +
  stroke(
    times(
      7,
      (line) =>
        `M${x + (w * (line + 1)) / 8} ${y}V${y + h}M${x} ${y + (h * (line + 1)) / 8}H${x + w}`,
    ),
    "#c7ac78",
    5,
  );

const flutes = (x: number, y: number, w: number, h: number, fill: string): Svg =>
  stroke(
    times(Math.floor(w / 48), (line) => `M${x + 24 + 48 * line} ${y}V${y + h}`),
    tone(fill, -0.2),
    9,
  );

type Front = "plain" | "cane" | "fluted";

const sideboardWith =
  (front: Front): Draw =>
  (w, h, { main, frame }) => {
    const doors = Math.max(2, Math.round(w / 460));
    const foot = h * 0.18;
    const body = h - foot;
    const wide = (w - 60) / doors;
    return [
      feet(w, h, foot + 10, frame),
      block(0, 0, w, body, 14, main),
      times(doors, (door) => {
        const x = 30 + wide * door;
        const inside = [x + 34, 74, wide - 68, body - 150] as const;
        return (
          rect(x + 6, 40, wide - 12, body - 76, 8, tone(main, 0.08)) +
          (front === "cane"
            ? wovenPanel(...inside)
            : front === "fluted"
              ? flutes(x + 6, 46, wide - 12, body - 88, main)
              : "") +
          rect(door % 2 ? x + 22 : x + wide - 36, body * 0.4, 14, body * 0.16, 7, brass)
        );
      }),
    ].join("");
  };

export const sideboard = sideboardWith("plain");
export const caneSideboard = sideboardWith("cane");
export const flutedSideboard = sideboardWith("fluted");

export const tvUnit: Draw = (w, h, { main, frame }) => {
  const foot = h * 0.24;
  const body = h - foot;
  return [
    feet(w, h, foot + 10, frame),
    block(0, 0, w, body, 12, main),
    rect(w * 0.35, body * 0.14, w * 0.3, body * 0.72, 4, tone(main, -0.45)),
    rect(w * 0.35, body * 0.48, w * 0.3, 18, 0, main),
    [0.03, 0.68]
      .map(
        (x) =>
          block(w * x, body * 0.12, w * 0.29, body * 0.76, 8, tone(main, 0.08)) +
          flutes(w * x, body * 0.14, w * 0.29, body * 0.72, main),
      )
      .join(""),
    rect(w * 0.4, body * 0.68, w * 0.2, body * 0.16, 8, "#2f3033"),
  ].join("");
};

const spines = ["#a9503a", "#e3c78d", "#3f5f68", "#7c8a5f", "#c98a4b", "#efe6d2"];

export const bookshelf: Draw = (w, h, { main, frame, accent }) => {
  const shelves = Math.max(3, Math.round(h / 400));
  const pitch = (h - 90) / shelves;
  return [
    rect(0, 0, w, h - 30, 6, tone(main, -0.42)),
    times(shelves, (shelf) => {
      const floor = 40 + pitch * (shelf + 1) - 30;
      const start = shelf % 2 ? w * 0.5 : w * 0.09;
      return (
        times(5, (book) =>
          rect(
            start + 46 * book,
            floor - pitch * (0.5 + 0.07 * ((book * 3 + shelf) % 4)),
            40,
            pitch * (0.5 + 0.07 * ((book * 3 + shelf) % 4)),
            3,
            spines[(book + shelf) % 6]!,
          ),
        ) +
        (shelf % 2
          ? ellipse(w * 0.26, floor - 80, 78, 80, accent) +
            rect(w * 0.26 - 26, floor - 185, 52, 40, 6, accent)
          : rect(w * 0.62, floor - 130, 180, 130, 10, tone(accent, 0.45)))
      );
    }),
    times(shelves + 1, (board) => block(0, pitch * board + 10, w, 32, 4, main)),
    rect(0, 0, 36, h, 4, main) + rect(w - 36, 0, 36, h, 4, tone(main, -0.1)),
    rect(30, h - 60, w - 60, 30, 0, frame),
  ].join("");
};

/** An open metal frame with wooden boards. */
export const etagere: Draw = (w, h, { main, frame, accent }) => {
  const pitch = (h - 60) / 4;
  return [
    stroke(`M14 0V${h}M${w - 14} 0V${h}`, frame, 28),
    times(5, (board) => block(0, 20 + pitch * board, w, 34, 4, main)),
    times(6, (book) =>
      rect(
        90 + 44 * book,
        20 + pitch - 190 - 12 * (book % 3),
        38,
        190 + 12 * (book % 3),
        3,
        spines[book]!,
      ),
    ),
    ellipse(w * 0.72, 20 + pitch * 2 - 80, 70, 80, accent),
    rect(w * 0.16, 20 + pitch * 3 - 120, 220, 120, 10, tone(accent, 0.4)),
    times(4, (book) =>
      rect(w * 0.55 + 44 * book, 20 + pitch * 4 - 210, 38, 210, 3, spines[(book + 2) % 6]!),
    ),
  ].join("");
};

export const wardrobe: Draw = (w, h, { main, frame }) => {
  const doors = Math.max(2, Math.round(w / 520));
  const wide = (w - 40) / doors;
  return [
    rect(60, h - 90, w - 120, 90, 0, frame),
    block(0, 0, w, h - 60, 12, main),
    times(
      doors,
      (door) =>
        rect(20 + wide * door + 6, 40, wide - 12, h - 150, 6, tone(main, 0.07)) +
        rect(20 + wide * door + 60, 110, wide - 120, h * 0.42, 6, tone(main, -0.06)) +
        rect(20 + wide * door + 60, h * 0.55, wide - 120, h * 0.36, 6, tone(main, -0.06)) +
        rect(
          door % 2 ? 20 + wide * door + 22 : 20 + wide * (door + 1) - 38,
          h * 0.46,
          16,
          170,
          8,
          brass,
        ),
    ),
  ].join("");
};

const drawersWith =
  (rows: number): Draw =>
  (w, h, { main, frame }) => {
    const foot = h * 0.16;
    const tall = (h - foot - 50) / rows;
    return [
      feet(w, h, foot + 10, frame),
      block(0, 0, w, h - foot, 12, main),
      times(
        rows,
        (row) =>
          block(26, 28 + tall * row, w - 52, tall - 14, 8, tone(main, 0.08)) +
          ellipse(w * 0.5, 28 + tall * (row + 0.45), 17, 17, brass),
      ),
    ].join("");
  };

export const bedside = drawersWith(2);
export const chest = drawersWith(4);
