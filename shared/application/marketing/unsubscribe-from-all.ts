import type { ProductAlert } from "#shared/domain/marketing/product-alert.ts";
import type { Subscription } from "#shared/domain/marketing/subscription.ts";
import type { Table } from "#shared/storage/table.ts";
import { stopAlerts } from "./request-alert.ts";
import { endSubscription } from "./subscribe.ts";

type Request = Pick<Subscription | ProductAlert, "requested_at" | "confirmed_at">;

/**
 * Ends all marketing mail to an address: its subscription, also in the preferences of its account, and its product
 * alerts. May be called repeatedly.
 *
 * @param isMeant whether to end a stored subscription or alert; false if it is newer than the request to unsubscribe
 */
export async function unsubscribeFromAll(
  email: string,
  { table, now }: { table: Table; now: Date },
  isMeant: (stored: Request) => boolean = () => true,
): Promise<void> {
  await endSubscription(email, { table, now }, isMeant);
  await stopAlerts(table, email, now, isMeant);
}
