import type { ColorGroup } from "#shared/domain/catalog/material.ts";

/** A colour, wood or metal that a product comes in. */
export interface Finish {
  label: string;
  hex: string;
  group: ColorGroup;
}

const table = {
  // Woods
  teak: ["Natural teak", "#b07a45", "brown"],
  walnut: ["Walnut stain", "#6f4a2f", "brown"],
  sheesham: ["Honey sheesham", "#9a5f35", "brown"],
  mango: ["Light mango wood", "#cda16a", "beige"],
  ebony: ["Ebonised", "#3a302a", "black"],
  whitewash: ["Whitewash", "#ddd2c0", "white"],
  cane: ["Natural cane", "#d9bd84", "beige"],
  // Metals, stone and clay
  brass: ["Antique brass", "#b98d4a", "gold"],
  black: ["Matt black", "#34322f", "black"],
  nickel: ["Brushed nickel", "#b5b7b8", "silver"],
  marble: ["Makrana marble", "#e6e2db", "white"],
  terracotta: ["Terracotta", "#b9623f", "orange"],
  // Cloth and colour
  oat: ["Oat", "#d9cbb2", "beige"],
  ivory: ["Ivory", "#ece5d6", "white"],
  stone: ["Stone grey", "#a7a298", "grey"],
  charcoal: ["Charcoal", "#55524f", "grey"],
  sage: ["Sage", "#8b9a7d", "green"],
  forest: ["Forest", "#35594a", "green"],
  indigo: ["Indigo", "#36506f", "blue"],
  sky: ["Monsoon blue", "#8aa7b8", "blue"],
  rust: ["Rust", "#b5573a", "orange"],
  mustard: ["Mustard", "#d2a03c", "yellow"],
  madder: ["Madder red", "#98392f", "red"],
  blush: ["Blush", "#d8aea0", "pink"],
  plum: ["Plum", "#6d4058", "purple"],
  tan: ["Saddle tan", "#a9683a", "brown"],
  multi: ["Multicolour", "#7b5a6a", "multicolor"],
} as const satisfies Record<string, readonly [string, string, ColorGroup]>;

export type FinishCode = keyof typeof table;

export function finish(code: FinishCode): Finish {
  const [label, hex, group] = table[code];
  return { label, hex, group };
}
