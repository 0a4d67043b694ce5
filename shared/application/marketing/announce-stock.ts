import type { Shop } from "#shared/application/shop.ts";
import type { Timestamp } from "#shared/domain/base/text.ts";
import {
  alertsInWave,
  currentWave,
  nextWaveAt,
  alertedOfStock,
  isMeant,
} from "#shared/domain/marketing/product-alert.ts";
import { Products, Stocks } from "#shared/storage/catalog/catalog.ts";
import { AlertWaves, putAlert, putWave } from "#shared/storage/marketing/product-alerts.ts";
import { at } from "#shared/storage/reads.ts";
import { alertLetter } from "./alert-letter.ts";
import { endAlertsIfDiscontinued, waitingFor } from "./waiting-alerts.ts";

/**
 * Announces that a product is back in stock, to as many people as there are units, the oldest requests first. One
 * transaction publishes letters, ends their alerts and counts them in the wave, so a crash or a concurrent run sends no
 * letter twice.
 *
 * @returns when the next wave may start, if anybody still waits
 */
export async function announceStock(
  id: string,
  shop: Shop<"table" | "now">,
): Promise<Timestamp | null> {
  const { table, now } = shop;
  const product = await table.get(Products, { id });
  if (product?.status !== "published") {
    await endAlertsIfDiscontinued(id, shop);
    return null;
  }
  const { stock } = await table.getMany({
    stock: product.variants.map(({ id: variant }) => at(Stocks, { id: variant })),
  });
  const units = Object.fromEntries(
    stock.flatMap((row) => (row && row.available > 0 ? [[row.id, row.available]] : [])),
  ) as Record<string, number>;
  // No unit is left. The next delivery schedules a check.
  if (Object.keys(units).length === 0) return null;

  let stored = await table.get(AlertWaves, { product_id: id });
  let wave = currentWave(stored, id, now());
  let isAnybodyLeft = false;
  for await (const waiting of waitingFor({ product_id: id, kind: "back_in_stock" }, shop)) {
    const { chosen, sent } = alertsInWave(waiting, units, wave.sent);
    isAnybodyLeft ||= chosen.length < waiting.length;
    if (chosen.length > 0) {
      const next = { ...wave, sent };
      await table.transact([
        putWave(next, stored),
        ...chosen.flatMap((before) => {
          const alert = alertedOfStock(before, now());
          const ids = Object.keys(units).filter((variant) => isMeant(before, variant));
          return [...putAlert(alert, before), alertLetter(alert, now(), ids)];
        }),
      ]);
      stored = next;
      wave = { ...next, version: next.version + 1 };
    }
    const isOver = Object.entries(units).every(
      ([variant, count]) => count <= (wave.sent[variant] ?? 0),
    );
    if (isAnybodyLeft && isOver) break;
  }
  return isAnybodyLeft ? nextWaveAt(wave) : null;
}
