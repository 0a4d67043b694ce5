import { openLastLines } from "#shared/application/cart/open-to-change.ts";
import { openSoldItems } from "#shared/application/metrics/sold-items.ts";
import type { Opener, Parts, Shop } from "#shared/application/shop.ts";
import { openPublicMemory } from "#shared/runtime/public-memory.ts";
import { refreshed } from "#shared/runtime/refreshed.ts";
import {
  Cards,
  PublishedMaterials,
  PublishedProducts,
  PublishedSofas,
  SkuClaims,
  Stocks,
} from "#shared/storage/catalog/catalog.ts";
import { readPublicState } from "#shared/storage/public-state.ts";
import { openRecentReads } from "#shared/storage/recent-reads.ts";

type Remembering = Shop<"table" | "log" | "elapsed"> & Partial<Shop<"indexReader">>;

/** Kept while neither the public generation nor the catalog index changes. */
export const memory: Opener<Parts["memory"], Remembering> = (
  _environment,
  { indexReader, table, log, elapsed },
) => {
  if (indexReader) return openPublicMemory(() => indexReader.revision(), { elapsed });
  const state = refreshed(() => readPublicState(table), {
    now: elapsed,
    failed: (cause) =>
      log.error("Public generation and index pointer could not be read", { cause }),
  });
  return openPublicMemory(
    async () => {
      const { generation, pointer } = await state.current();
      return `${generation} ${pointer?.version}`;
    },
    { elapsed },
  );
};

const reused = [PublishedProducts, PublishedSofas, PublishedMaterials, Cards, SkuClaims, Stocks];

export const catalogReads: Opener<Parts["catalogReads"], Shop<"table" | "elapsed">> = (
  _environment,
  { table, elapsed },
) => openRecentReads(table, reused, elapsed);

export const lastLines: Opener<Parts["lastLines"]> = () => openLastLines();

export const soldItems: Opener<Parts["soldItems"], Shop<"table" | "elapsed">> = (
  _environment,
  { table, elapsed },
) => openSoldItems(table, elapsed);
