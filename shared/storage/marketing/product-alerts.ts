import {
  AlertWave,
  nextWaveAt,
  type AlertKind,
  ProductAlert,
  alertExpiry,
} from "../../domain/marketing/product-alert.ts";
import { PriceWatch } from "../../domain/marketing/price-drop.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put } from "../writes.ts";
import { secondsOf, subscriberPartition } from "./subscriptions.ts";
import { linkOf } from "./unsubscribe-links.ts";

/** The partition of the index that lists the waiting alerts of a product, the oldest first. */
export const waitingAlerts = (product_id: string, kind: AlertKind) =>
  `ALERTS#${product_id}#${kind}`;

export type AlertId = Pick<ProductAlert, "email" | "product_id" | "kind">;

export const ProductAlerts = entity({
  name: "product_alert",
  notExported: "personal",
  schema: ProductAlert,
  key: ({ email, product_id, kind }: AlertId) => ({
    pk: subscriberPartition(email),
    sk: `ALERT#${product_id}#${kind}`,
  }),
  indexes: {
    gsi1: ({ email, product_id, kind, status, confirmed_at }) =>
      status === "waiting"
        ? { pk: waitingAlerts(product_id, kind), sk: `${confirmed_at}#${email}` }
        : undefined,
  },
  patterns: { gsi1: [["ALERTS#<product_id>#<kind>", "<confirmed_at>#<email>"]] },
  ttl: (alert) => secondsOf(alertExpiry(alert)),
});

/** Stores an alert with its end link, if the alert is unchanged since it was read. */
export function putAlert(alert: ProductAlert, before: ProductAlert | undefined): Write[] {
  const { email, product_id, kind, token } = alert;
  return [
    put(ProductAlerts, alert, before ? is("version", before.version) : isNew),
    linkOf({ token, email, alert: { product_id, kind }, expires_at: alertExpiry(alert) }),
  ];
}

/** Whether any alert of this kind waits for the product. An alert that was just confirmed may be missed. */
export async function isAwaited(
  table: Table,
  product_id: string,
  kind: AlertKind,
): Promise<boolean> {
  const partition = waitingAlerts(product_id, kind);
  const { records } = await table.page(ProductAlerts, { index: "gsi1", partition }, { limit: 1 });
  return records.length > 0;
}

/** The current wave of `back_in_stock` mails about each product. */
export const AlertWaves = entity({
  name: "alert_wave",
  notExported: "derived",
  schema: AlertWave,
  key: ({ product_id }: { product_id: string }) => ({
    pk: `ALERTWAVE#${product_id}`,
    sk: "WAVE",
  }),
  // A wave is kept for a day after it ends.
  ttl: (wave) => Math.ceil(Date.parse(nextWaveAt(wave)) / 1000) + 86_400,
});

/** Stores a wave, if it is unchanged since it was read. */
export const putWave = (wave: AlertWave, before: AlertWave | undefined): Write =>
  put(AlertWaves, wave, before ? is("version", before.version) : isNew);

/** The prices of published products, and since when they have been valid. */
export const PriceWatches = entity({
  name: "price_watch",
  notExported: "derived",
  schema: PriceWatch,
  key: ({ product_id }: { product_id: string }) => ({
    pk: `PRICEWATCH#${product_id}`,
    sk: "PRICES",
  }),
});

/** Stores the prices of a product, if they are unchanged since they were read. */
export const putPrices = (watch: PriceWatch, before: PriceWatch | undefined): Write =>
  put(PriceWatches, watch, before ? is("version", before.version) : isNew);
