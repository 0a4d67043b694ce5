import * as z from "zod";
import { Timestamp } from "../base/text.ts";
import { type ProductAlert, isMeant } from "./product-alert.ts";

/** A wave of `back_in_stock` mails about a product. In its day, it sends at most one mail per available unit. */
export const AlertWave = z.object({
  product_id: z.string(),
  started_at: Timestamp,
  /** The number of mails that the wave has sent, by the variant's id. */
  sent: z.record(z.string(), z.int().min(1)),
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
 */
export function currentWave(
  before: AlertWave | undefined,
  product_id: string,
  now: Date,
): AlertWave {
  const version = (before?.version ?? 0) + 1;
  return !before || nextWaveAt(before) <= now.toISOString()
    ? { product_id, started_at: now.toISOString(), sent: {}, version }
    : { ...before, version };
}

/**
 * Chooses the alerts to mail about the available units: as many alerts as there are units that the wave has not mailed
 * about, the oldest first.
 *
 * @param waiting oldest first
 * @param units the available units by the variant's id; more of them than before allow further mails on the same day
 */
export function alertsInWave<Alert extends Pick<ProductAlert, "variant_ids">>(
  waiting: readonly Alert[],
  units: Readonly<Record<string, number>>,
  before: AlertWave["sent"],
): { chosen: Alert[]; sent: AlertWave["sent"] } {
  const sent = new Map(Object.entries(before));
  const left = (id: string) => (units[id] ?? 0) - (sent.get(id) ?? 0);
  const chosen = waiting.filter(({ variant_ids }) => {
    const [best] = Object.keys(units)
      .filter((id) => left(id) > 0 && isMeant({ variant_ids }, id))
      .toSorted((one, other) => left(other) - left(one));
    if (best === undefined) return false;
    sent.set(best, (sent.get(best) ?? 0) + 1);
    return true;
  });
  return { chosen, sent: Object.fromEntries(sent) };
}
