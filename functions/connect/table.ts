import type { Opener, Parts, Shop } from "#shared/application/shop.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { openTable } from "#shared/storage/table.ts";

export const table: Opener<Parts["table"]> = (environment) =>
  openTable({
    name: readVariable(environment, "TABLE_NAME"),
    endpoint: readVariable(environment, "DYNAMODB_ENDPOINT"),
  });

export const rates: Opener<Parts["rates"], Shop<"table" | "log">> = (_environment, shop) =>
  openRateCounters(shop.table, shop.log);
