import type { Table } from "../table.ts";
import { ProductAlerts } from "./product-alerts.ts";
import { Subscriptions, subscriberPartition } from "./subscriptions.ts";
import { removeLink } from "./unsubscribe-links.ts";

/** Deletes the subscription and the product alerts of an address, and their links. May be called repeatedly. */
export async function eraseSubscriber(table: Table, email: string): Promise<void> {
  const partition = subscriberPartition(email);
  const kinds = { subscriptions: Subscriptions, alerts: ProductAlerts };
  const { subscriptions, alerts } = await table.getPartition(partition, kinds);
  const rows = [...subscriptions, ...alerts];
  if (rows.length === 0) return;
  // The links are deleted first, because only these rows contain their tokens.
  await table.writeMany(rows.map(({ token }) => removeLink(token)));
  await table.clear(partition);
}
