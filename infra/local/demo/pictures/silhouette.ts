import type { Svg } from "./svg.ts";

/** Colours of a piece: its main surface, its frame, and its accessories. */
export interface Paint {
  main: string;
  frame: string;
  accent: string;
}

/** Draws a piece from the front in mm: x from its left edge, y downwards from its top. */
export type Draw = (width: number, height: number, paint: Paint) => Svg;
