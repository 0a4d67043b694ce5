import type { Svg } from "./svg.ts";

/** Colours of a piece: what catches the eye, what carries it, and what is put on it. */
export interface Paint {
  main: string;
  frame: string;
  accent: string;
}

/** Draws a piece from the front in its true size: millimetres, x from its left edge, y downwards from its top. */
export type Draw = (width: number, height: number, paint: Paint) => Svg;
