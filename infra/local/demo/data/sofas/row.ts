import type { FinishCode } from "../finishes.ts";
import type { Shape } from "#infra/local/demo/pictures/shapes.ts";

export interface SofaSize {
  code: string;
  label: string;
  seats: number;
  width: number;
  depth: number;
  /** Surcharge over the first size, in rupees. */
  more: number;
  /** Metres of fabric that this size needs beyond the first size. */
  cloth: number;
  /** Whether this size has a corner, and therefore a left and a right version. */
  corner?: true;
}

export const legChoices = {
  "teak-tapered": { label: "Tapered, natural teak", finish: "teak", price: 0 },
  "walnut-tapered": { label: "Tapered, walnut stain", finish: "walnut", price: 1_200 },
  "sheesham-turned": { label: "Turned sheesham", finish: "sheesham", price: 2_400 },
  "brass-tip": { label: "Ebonised with brass tips", finish: "ebony", price: 3_600 },
  "black-steel": { label: "Matt black steel", finish: "black", price: 900 },
} as const satisfies Record<string, { label: string; finish: FinishCode; price: number }>;

export const extraChoices = {
  "chaise-storage": { label: "Storage under the chaise", price: 5_900 },
  "charging-port": { label: "Hidden charging port", price: 2_900 },
  "arm-caddy": { label: "Leather arm caddy", price: 1_490 },
  "throw-blanket": { label: "Matching throw", price: 2_190 },
} as const;

/** The members that differ between sofas, in rupees, mm, kg and metres. */
export interface SofaRow {
  name: string;
  subtitle: string;
  about: string;
  points: readonly string[];
  shape: Shape;
  height: number;
  seat: readonly [height: number, depth: number, arm: number];
  /** Weight, prices and fabric of the first size. */
  kg: number;
  base: number;
  was?: number;
  cloth: number;
  sizes: readonly SofaSize[];
  /** The default size. */
  shownSize: string;
  /** Families of materials, starting with the default. */
  families: readonly string[];
  legs: readonly (keyof typeof legChoices)[];
  extras: readonly (keyof typeof extraChoices)[];
  headrest?: true;
  /** Whether the covers are removable for washing. */
  removable?: true;
  collection?: string;
  styles: readonly string[];
  tags?: readonly string[];
  badges?: readonly string[];
  related: readonly string[];
  leadTime: readonly [min: number, max: number];
}
