import { accentChairs } from "./accent-chairs.ts";
import { beds, bedsides, wardrobes } from "./bedroom.ts";
import { type DemoProduct, buildProduct } from "./build.ts";
import { desks } from "./desks.ts";
import { benches, diningChairs } from "./dining-chairs-and-benches.ts";
import { diningTables } from "./dining-tables.ts";
import { floorLamps, pendants, tableLamps } from "./lighting.ts";
import { lines } from "./lines.ts";
import { coffeeTables, sideTables } from "./low-tables.ts";
import type { ProductRow } from "./row.ts";
import { cushions, mirrors, rugs } from "./rugs-and-decor.ts";
import { bookshelves, sideboards, tvUnits } from "./storage.ts";

const rows: Readonly<Record<keyof typeof lines, readonly ProductRow[]>> = {
  accentChairs,
  diningChairs,
  benches,
  diningTables,
  coffeeTables,
  sideTables,
  desks,
  beds,
  bedsides,
  wardrobes,
  sideboards,
  bookshelves,
  tvUnits,
  floorLamps,
  tableLamps,
  pendants,
  rugs,
  mirrors,
  cushions,
};

export function demoProducts(now: Date): DemoProduct[] {
  return (Object.keys(rows) as (keyof typeof lines)[]).flatMap((line) =>
    rows[line].map((row) => buildProduct(lines[line], row, now)),
  );
}
