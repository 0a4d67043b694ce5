import * as z from "zod";
import { Sku } from "../base/names.ts";
import { Timestamp } from "../base/text.ts";
import { type ProductAlert, anySku } from "./product-alert.ts";

/** A wave of `back_in_stock` mails about a product. It lasts a day, and sends at most one mail per available unit. */
export const AlertWave = z.object({
  product_id: z.string(),
  started_at: Timestamp,
  /** The number of mails that the wave may still send, by SKU. */
  left: z.record(Sku, z.int().min(0)),
  version: z.int().min(1),
});
export type AlertWave = z.output<typeof AlertWave>;

const waveMs = 24 * 3_600_000;

/** When the wave after this one may start. */
export const nextWaveAt = ({ started_at }: Pick<AlertWave, "started_at">): Timestamp =>
  new Date(Date.parse(started_at) + waveMs).toISOString();

/**
 * The wave to which mails belong now. It is the stored wave for a day, so that a run after a crash sends only the mails
 * that are left.
 *
 * @param units the available units by SKU
 */
export function currentWave(
  before: AlertWave | undefined,
  product_id: string,
  units: Readonly<Record<string, number>>,
  now: Date,
): AlertWave {
  const version = (before?.version ?? 0) + 1;
  if (!before || nextWaveAt(before) <= now.toISOString()) {
    return { product_id, started_at: now.toISOString(), left: { ...units }, version };
  }
  const left = Object.entries(before.left).map(([sku, count]) => [
    sku,
    Math.min(count, units[sku] ?? 0),
  ]);
  return { ...before, left: Object.fromEntries(left) as Record<string, number>, version };
}

/**
 * Chooses the alerts to mail about the available units: as many alerts as there are units, the oldest first.
 *
 * @param waiting oldest first
 */
export function alertsInWave<Alert extends Pick<ProductAlert, "skus">>(
  waiting: readonly Alert[],
  left: Readonly<Record<string, number>>,
): { chosen: Alert[]; left: Record<string, number> } {
  const rest = new Map(Object.entries(left));
  const chosen = waiting.filter(({ skus }) => {
    const [best] = [...rest]
      .filter(([sku, count]) => count > 0 && (skus.includes(anySku) || skus.includes(sku)))
      .toSorted(([, one], [, other]) => other - one);
    if (!best) return false;
    rest.set(best[0], best[1] - 1);
    return true;
  });
  return { chosen, left: Object.fromEntries(rest) };
}
