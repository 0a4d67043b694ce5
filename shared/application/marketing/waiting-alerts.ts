import type { Shop } from "#shared/application/shop.ts";
import {
  AlertKind,
  type ProductAlert,
  endedAlert,
  isDiscontinued,
} from "#shared/domain/marketing/product-alert.ts";
import { findMailBlocks } from "#shared/storage/customer/mail-blocks.ts";
import { Products } from "#shared/storage/catalog/catalog.ts";
import {
  PriceWatches,
  ProductAlerts,
  putAlert,
  waitingAlerts,
} from "#shared/storage/marketing/product-alerts.ts";
import { Subscriptions } from "#shared/storage/marketing/subscriptions.ts";
import { at } from "#shared/storage/reads.ts";
import { remove } from "#shared/storage/writes.ts";
import { stopAlert } from "./request-alert.ts";

/** Maximum number of alerts per transaction, which also stores their letters and a row of the product. */
const pageSize = 30;

/**
 * The waiting alerts of a product, the oldest first, as they are stored now. Alerts of people who have unsubscribed, and
 * of addresses that are no longer mailed, are ended instead.
 */
export async function* waitingFor(
  { product_id, kind }: Pick<ProductAlert, "product_id" | "kind">,
  { table, now }: Shop<"table" | "now">,
): AsyncGenerator<ProductAlert[]> {
  const partition = waitingAlerts(product_id, kind);
  let after: Record<string, unknown> | undefined;
  do {
    const page = await table.page(
      ProductAlerts,
      { index: "gsi1", partition },
      { limit: pageSize, after },
    );
    // The index may be a moment behind, so the alerts are read again from the table.
    const emails = page.records.map(({ email }) => email);
    const [{ alerts, subscriptions }, blocks] = await Promise.all([
      table.getMany({
        alerts: page.records.map((alert) => at(ProductAlerts, alert)),
        subscriptions: emails.map((email) => at(Subscriptions, { email })),
      }),
      findMailBlocks(table, emails),
    ]);
    const open: ProductAlert[] = [];
    for (const [position, alert] of alerts.entries()) {
      if (alert?.status !== "waiting") continue;
      const left = subscriptions[position]?.unsubscribed_at ?? "";
      if (blocks[position] || left >= alert.requested_at) await stopAlert(table, alert, now());
      else open.push(alert);
    }
    yield open;
    after = page.next;
  } while (after);
}

/**
 * If a product is archived or deleted, ends all its alerts and deletes its stored prices. May be called repeatedly.
 */
export async function endAlertsIfDiscontinued(
  id: string,
  shop: Shop<"table" | "now">,
): Promise<void> {
  const { table, now } = shop;
  if (!isDiscontinued(await table.get(Products, { id }))) return;
  for (const kind of AlertKind.options) {
    for await (const waiting of waitingFor({ product_id: id, kind }, shop)) {
      const writes = waiting.flatMap((before) => putAlert(endedAlert(before, now()), before));
      if (writes.length > 0) await table.transact(writes);
    }
  }
  await table.write(remove(PriceWatches, { product_id: id }));
}
