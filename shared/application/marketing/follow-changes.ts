import type { Shop } from "#shared/application/shop.ts";
import { reminderCheckAt } from "#shared/domain/marketing/cart-reminder.ts";
import type { MarketingChange } from "#shared/queues/queue-messages.ts";
import { scheduleTask } from "#shared/storage/marketing/marketing-timers.ts";
import { isAwaited } from "#shared/storage/marketing/product-alerts.ts";
import { followCustomer, followOrder } from "./follow-consents.ts";
import { followPrices } from "./follow-prices.ts";

type FollowChangesShop = Shop<"table" | "now" | "randomBytes" | "settings", "checkout">;

/** Brings subscriptions and scheduled checks up to date with changed records. May be called repeatedly and late. */
export async function followMarketingChanges(
  changes: readonly MarketingChange[],
  shop: FollowChangesShop,
): Promise<void> {
  const ofPrices = changes.filter(({ kind }) => kind === "price");
  const ofStock = changes.filter(({ kind }) => kind === "stock");
  const idsOf = (some: readonly MarketingChange[]) => [...new Set(some.map(({ id }) => id))];
  if (ofPrices.length > 0) await followPrices(shop.table, idsOf(ofPrices));
  // A product that has just been published may have stock.
  for (const id of idsOf([...ofPrices, ...ofStock])) await checkStock(id, shop);
  for (const change of changes) await follow(change, shop);
}

async function follow(change: MarketingChange, shop: FollowChangesShop): Promise<void> {
  const { table, settings } = shop;
  switch (change.kind) {
    case "order":
      return followOrder(change.id, shop);
    case "customer":
      return followCustomer(change, shop);
    case "price":
    case "stock":
      return;
    case "discontinued": {
      // This check ends the alerts of both kinds.
      const at = shop.now().toISOString();
      await table.write(scheduleTask({ task: "price_drop", about: change.id, at }));
      return;
    }
    case "cart": {
      const { cart_reminder_hours: hours } = (await settings.current()).checkout;
      if (hours === 0) return;
      const at = reminderCheckAt(change.at, hours);
      await table.write(scheduleTask({ task: "cart_reminder", about: change.id, at }));
    }
  }
}

async function checkStock(about: string, { table, now }: FollowChangesShop): Promise<void> {
  if (!(await isAwaited(table, about, "back_in_stock"))) return;
  const at = now().toISOString();
  await table.write(scheduleTask({ task: "back_in_stock", about, at }));
}
