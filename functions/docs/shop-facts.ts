import { CategoryTree } from "#shared/storage/catalog/catalog.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import { type TableClient, openTable } from "#shared/storage/table.ts";
import type { ShopFacts } from "./agent-guide.ts";

/** Returns a function that reads the data of the shop that the guide for agents contains. */
export function openShopFacts(options: {
  name: string;
  endpoint: string | undefined;
  client?: TableClient | undefined;
}): () => Promise<ShopFacts> {
  const table = openTable(options);
  return async () => {
    const [settings, tree] = await Promise.all([
      readSettings(table, ["store", "seo"]),
      table.get(CategoryTree, {}),
    ]);
    return { ...settings, categories: tree?.categories ?? [] };
  };
}
