import type { FinishCode } from "../finishes.ts";
import type { Shape } from "#infra/local/demo/pictures/shapes.ts";

/** What a product is made of: the values of the material filter. */
export const madeOf = {
  teak: "Solid teak",
  sheesham: "Solid sheesham",
  mango: "Solid mango wood",
  ash: "Solid ash",
  plywood: "Marine plywood with veneer",
  cane: "Hand-woven cane",
  bamboo: "Bamboo",
  brass: "Brass",
  steel: "Powder-coated steel",
  marble: "Makrana marble",
  glass: "Toughened glass",
  ceramic: "Glazed stoneware",
  terracotta: "Terracotta",
  linen: "Linen",
  cotton: "Handloom cotton",
  velvet: "Velvet",
  fabric: "Woven fabric",
  leather: "Leather",
  wool: "Hand-spun wool",
  jute: "Jute",
  foam: "High-resilience foam",
  mesh: "Breathable mesh",
} as const;
export type MadeOf = keyof typeof madeOf;

/** On hand, or sold beyond the stock. */
export type Pieces = number | "backorder";

/** The facts that differ from product to product; everything else follows from its line. Rupees, mm and kg. */
export interface ProductRow {
  name: string;
  subtitle: string;
  about: string;
  points: readonly string[];
  shape: Shape;
  size: readonly [width: number, depth: number, height: number];
  seat?: readonly [height: number, depth: number, arm: number | null];
  kg: number;
  price: number;
  /** The price before it was lowered. */
  was?: number;
  of: readonly MadeOf[];
  /** Colours or finishes, the one shown first in front. */
  looks: readonly FinishCode[];
  /** Sizes, what each costs more than the first, and its width and depth. */
  sizes?: readonly (readonly [label: string, more: number, width: number, depth: number])[];
  /** The part that does not change with the look, and what lies on it. */
  frame?: FinishCode;
  accent?: FinishCode;
  /** By variant: every look in the first size, then in the next. */
  stock: readonly Pieces[];
  /** It has a 3D model and a manual of the only kind there is: a table with a shelf on four legs. */
  modelled?: "table";
  collection?: string;
  styles: readonly string[];
  rooms?: readonly string[];
  tags?: readonly string[];
  badges?: readonly string[];
  /** Names of what goes with it. */
  related?: readonly string[];
}
