import { followPrices } from "#shared/application/marketing/follow-prices.ts";
import type { Timestamp } from "#shared/domain/base/text.ts";
import { correctedPrice, mayBeToldAt, steadyAt } from "#shared/domain/marketing/price-drop.ts";
import {
  alertedOfPrice,
  priceOfSkus,
  retoldAlert,
} from "#shared/domain/marketing/product-alert.ts";
import { Products } from "#shared/storage/catalog/catalog.ts";
import { is } from "#shared/storage/conditions.ts";
import { putAlert } from "#shared/storage/marketing/product-alerts.ts";
import { check } from "#shared/storage/writes.ts";
import type { Deps } from "./deps.ts";
import { alertLetter } from "./letter.ts";
import { waitingFor } from "./reachable.ts";

/**
 * Tells people that a product's price has dropped, once it has stood for an hour. One transaction publishes letters and
 * records the announced price. It is refused if the product has changed, so a price that is corrected meanwhile is not
 * announced. A crash or a concurrent run sends no letter twice.
 *
 * @returns when the prices are old enough, or when somebody may be told again
 */
export async function announcePrice(id: string, deps: Deps): Promise<Timestamp | null> {
  const { table, settings, now } = deps;
  const followed = await followPrices(table, id);
  if (!followed) return null;
  const { product, watch } = followed;
  if (steadyAt(watch) > now().toISOString()) return steadyAt(watch);
  const { min_drop_bps } = (await settings.latest()).store;
  const unchanged = check(Products, { id }, is("version", product.version));
  let next: Timestamp | null = null;
  for await (const waiting of waitingFor({ product_id: id, kind: "price_drop" }, deps)) {
    const writes = waiting.flatMap((before) => {
      const price = priceOfSkus(product, before.skus);
      if (price === undefined) return [];
      const told_price = correctedPrice(before, price, watch);
      if (told_price !== before.told_price) {
        return putAlert(retoldAlert(before, told_price, now()), before);
      }
      const may = mayBeToldAt(before, price, min_drop_bps);
      if (may === null) return [];
      if (may > now().toISOString()) {
        next = next === null || may < next ? may : next;
        return [];
      }
      const alert = alertedOfPrice(before, price, now());
      return [...putAlert(alert, before), alertLetter(alert, now())];
    });
    if (writes.length > 0) await table.transact([unchanged, ...writes]);
  }
  return next;
}
