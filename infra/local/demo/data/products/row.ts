import type { FinishCode } from "../finishes.ts";
import type { Shape } from "#infra/local/demo/pictures/shapes.ts";

/** Materials of a product: the values of the material filter. */
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

/** Units on hand; `backorder`: none, but it can be ordered. */
export type Pieces = number | "backorder";

/** The members that differ between products, in rupees, mm and kg. The product line supplies the others. */
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
  /** The compare-at price. */
  was?: number;
  of: readonly MadeOf[];
  /** Colours or finishes, starting with the default. */
  looks: readonly FinishCode[];
  /** Sizes, each with its surcharge over the first size, its width and its depth. */
  sizes?: readonly (readonly [label: string, more: number, width: number, depth: number])[];
  /** Colours of the parts that every look shares: frame and accessories. */
  frame?: FinishCode;
  accent?: FinishCode;
  /** Stock of each variant: all looks in the first size, then all looks in the next. */
  stock: readonly Pieces[];
  /** Whether the product has a 3D model and a manual. Both exist only for a table with a shelf and four legs. */
  modelled?: "table";
  collection?: string;
  styles: readonly string[];
  rooms?: readonly string[];
  tags?: readonly string[];
  badges?: readonly string[];
  /** Names of related products. */
  related?: readonly string[];
}
