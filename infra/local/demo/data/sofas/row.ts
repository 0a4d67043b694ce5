import type { FinishCode } from "../finishes.ts";
import type { Shape } from "#infra/local/demo/pictures/shapes.ts";

export interface SofaSize {
  code: string;
  label: string;
  seats: number;
  width: number;
  depth: number;
  /** Rupees more than the first size. */
  more: number;
  /** Metres of cloth more than the first size. */
  cloth: number;
  /** It goes round a corner, so that it has a left and a right. */
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

/** The facts that differ from sofa to sofa. Rupees, mm, kg and metres. */
export interface SofaRow {
  name: string;
  subtitle: string;
  about: string;
  points: readonly string[];
  shape: Shape;
  height: number;
  seat: readonly [height: number, depth: number, arm: number];
  /** Of the first size. */
  kg: number;
  base: number;
  was?: number;
  cloth: number;
  sizes: readonly SofaSize[];
  /** The size that is shown and chosen first. */
  shownSize: string;
  /** Families of materials, the one shown first in front. */
  families: readonly string[];
  legs: readonly (keyof typeof legChoices)[];
  extras: readonly (keyof typeof extraChoices)[];
  headrest?: true;
  /** Covers that come off for washing. */
  removable?: true;
  collection?: string;
  styles: readonly string[];
  tags?: readonly string[];
  badges?: readonly string[];
  related: readonly string[];
  leadTime: readonly [min: number, max: number];
}
