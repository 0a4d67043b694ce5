import type { MaterialType } from "#shared/domain/catalog/material.ts";
import { canvas, document, ellipse, rect, stroke, times, tone, type Svg } from "./svg.ts";

const { width, height } = canvas;

/** A pattern that fills the whole swatch. */
const tiled = (size: number, tile: Svg): Svg =>
  `<pattern id="tile" width="${size}" height="${size}" patternUnits="userSpaceOnUse">${tile}</pattern><rect width="${width}" height="${height}" fill="url(#tile)"/>`;

/** A plain weave. */
const weave = (hex: string, size: number): Svg => {
  const half = size / 2;
  const thread = (x: number, y: number, fill: string) =>
    rect(x + 1, y + 1, half - 2, half - 2, 3, fill);
  return tiled(
    size,
    rect(0, 0, size, size, 0, tone(hex, -0.22)) +
      thread(0, 0, tone(hex, 0.08)) +
      thread(half, half, tone(hex, 0.04)) +
      thread(half, 0, tone(hex, -0.07)) +
      thread(0, half, tone(hex, -0.1)),
  );
};

const folds = (hex: string): Svg =>
  times(6, (fold) =>
    stroke(
      `M${-100 + fold * 250} 900Q${40 + fold * 250} 520 ${60 + fold * 220} 300T${260 + fold * 230} -60`,
      tone(hex, fold % 2 ? 0.16 : -0.2),
      fold % 2 ? 46 : 70,
    ),
  );

const grain = (hex: string): Svg =>
  times(26, (line) => {
    const y = 18 + line * 35;
    const bow = 26 * Math.sin(line * 1.7);
    return stroke(
      `M0 ${y}Q300 ${y + bow} 600 ${y - bow / 2}T1200 ${y + bow / 3}`,
      tone(hex, line % 3 ? -0.12 : 0.12),
      3 + (line % 4) * 3,
    );
  }) +
  [0, 10, 22, 36]
    .map((ring) =>
      stroke(`M${820 - ring * 3} 430a${60 + ring * 3} ${20 + ring} 0 1 0 1 0Z`, tone(hex, -0.2), 4),
    )
    .join("");

const hide = (hex: string): Svg =>
  tiled(
    90,
    rect(0, 0, 90, 90, 0, hex) +
      stroke(
        "M6 20Q22 2 40 16T80 14M0 52Q20 40 34 56T70 50T90 60M14 84Q32 70 52 82T88 80M40 16Q36 40 34 56M70 50Q76 66 52 82",
        tone(hex, -0.14),
        3,
      ) +
      ellipse(22, 34, 3, 2, tone(hex, 0.16)) +
      ellipse(62, 32, 3, 2, tone(hex, 0.16)),
  );

const brushed = (hex: string): Svg =>
  times(40, (line) =>
    stroke(
      `M0 ${11 + line * 23}H1200`,
      tone(hex, line % 5 === 0 ? 0.22 : line % 2 ? 0.08 : -0.08),
      3 + (line % 3) * 2,
    ),
  );

const cells = (hex: string): Svg =>
  tiled(
    60,
    rect(0, 0, 60, 60, 0, hex) +
      [
        [14, 16, 9],
        [42, 10, 6],
        [34, 36, 10],
        [10, 46, 6],
        [52, 50, 7],
      ]
        .map(([x = 0, y = 0, r = 0]) => ellipse(x, y, r, r * 0.8, tone(hex, -0.1)))
        .join(""),
  );

const textures: Readonly<Record<MaterialType, (hex: string) => Svg>> = {
  fabric: (hex) => weave(hex, 36),
  performance: (hex) => weave(hex, 22),
  velvet: (hex) => rect(0, 0, width, height, 0, hex) + folds(hex),
  leather: hide,
  wood: (hex) => rect(0, 0, width, height, 0, hex) + grain(hex),
  metal: (hex) => rect(0, 0, width, height, 0, hex) + brushed(hex),
  foam: cells,
};

/** A close-up of a material. */
export function swatch(title: string, type: MaterialType, hex: string): string {
  return document(title, hex, textures[type](hex) + rect(0, 0, width, height, 0, "url(#lit)"));
}
