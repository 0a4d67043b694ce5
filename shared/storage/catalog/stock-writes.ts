import type { StockChange } from "../../domain/catalog/stock.ts";
import { Stocks } from "./catalog.ts";
import { type Condition, atLeast, either, every, is } from "../conditions.ts";
import { type Write, update } from "../writes.ts";

/** Changes a stock row. The write is refused if the row does not meet the change's conditions or does not exist. */
export function changeStock(id: string, change: StockChange, now: Date): Write {
  const moved = Object.entries(change.add).filter(([, by]) => by !== 0);
  return update(
    Stocks,
    { id },
    {
      add: { ...Object.fromEntries(moved), version: 1 },
      set: { updated_at: now.toISOString() },
    },
    condition(change),
  );
}

function condition({ atLeast: bounds, waivedBy }: StockChange): Condition {
  const enough = every(...Object.entries(bounds).map(([member, least]) => atLeast(member, least)));
  return waivedBy === null ? enough : either(is("policy", waivedBy), enough);
}
