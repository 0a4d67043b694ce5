import {
  type CustomerFamilyDeps,
  connectCustomerFamily,
} from "#functions/connect/customer-family.ts";
import {
  Cards,
  PublishedMaterials,
  PublishedProducts,
  PublishedSofas,
  SkuClaims,
  Stocks,
} from "#shared/storage/catalog/catalog.ts";
import { type RecentReads, openRecentReads } from "#shared/storage/recent-reads.ts";
import { type LastLines, openLastLines } from "#shared/application/cart/open-to-change.ts";

export interface Deps extends CustomerFamilyDeps {
  /** Reads the catalog records of a cart's lines. Some may be up to two seconds old. */
  catalogReads: RecentReads;
  lastLines: LastLines;
}

const reused = [PublishedProducts, PublishedSofas, PublishedMaterials, Cards, SkuClaims, Stocks];

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectCustomerFamily(environment, "cart");
  return {
    ...family,
    catalogReads: openRecentReads(family.table, reused),
    lastLines: openLastLines(),
  };
}
