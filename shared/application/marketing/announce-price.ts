import type { Shop } from "#shared/application/shop.ts";
import type { Timestamp } from "#shared/domain/base/text.ts";
import {
  correctedPrices,
  droppedPrices,
  quietUntil,
  steadyAt,
} from "#shared/domain/marketing/price-drop.ts";
import { alertedOfPrices, withReferencePrices } from "#shared/domain/marketing/product-alert.ts";
import { Products } from "#shared/storage/catalog/catalog.ts";
import { is } from "#shared/storage/conditions.ts";
import { putAlert } from "#shared/storage/marketing/product-alerts.ts";
import { check } from "#shared/storage/writes.ts";
import { followPrices } from "./follow-prices.ts";
import { alertLetter } from "./alert-letter.ts";
import { endAlertsIfDiscontinued, waitingFor } from "./waiting-alerts.ts";

/**
 * Announces that a product's price has dropped, once the price has been valid for an hour. One transaction publishes
 * letters and stores the announced prices. It is refused if the product has changed, so a price that is corrected meanwhile is not
 * announced. A crash or a concurrent run sends no letter twice.
 *
 * @returns when the prices are old enough, or when somebody may be mailed again
 */
export async function announcePrice(
  id: string,
  shop: Shop<"table" | "now" | "settings", "store">,
): Promise<Timestamp | null> {
  const { table, settings, now } = shop;
  const [followed] = await followPrices(table, [id]);
  if (!followed) {
    await endAlertsIfDiscontinued(id, shop);
    return null;
  }
  const { product, watch } = followed;
  if (steadyAt(watch) > now().toISOString()) return steadyAt(watch);
  const { min_drop_bps } = (await settings.latest()).store;
  const unchanged = check(Products, { id }, is("version", product.version));
  let next: Timestamp | null = null;
  for await (const waiting of waitingFor({ product_id: id, kind: "price_drop" }, shop)) {
    const writes = waiting.flatMap((before) => {
      const reference_prices = correctedPrices(before, product, watch);
      const corrected = { ...before, reference_prices };
      const dropped = droppedPrices(corrected, product, min_drop_bps);
      const hasDropped = Object.keys(dropped).length > 0;
      const until = quietUntil(before);
      if (hasDropped && until <= now().toISOString()) {
        const alert = alertedOfPrices(corrected, dropped, now());
        return [...putAlert(alert, before), alertLetter(alert, now())];
      }
      if (hasDropped && (next === null || until < next)) next = until;
      return reference_prices === before.reference_prices
        ? []
        : putAlert(withReferencePrices(before, reference_prices, now()), before);
    });
    if (writes.length > 0) await table.transact([unchanged, ...writes]);
  }
  return next;
}
