import type { Shop } from "#shared/application/shop.ts";
import { sweepOutbox } from "#shared/application/mail/sweep-outbox.ts";
import { writeFeeds } from "#shared/application/seo/write-feeds.ts";
import { rotateOldKey } from "#shared/runtime/rotate-key.ts";
import type { Timestamp } from "#shared/domain/base/text.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import {
  type MarketingTask,
  type MarketingTimer,
  listDueTasks,
  removeTask,
  scheduleTask,
} from "#shared/storage/marketing/marketing-timers.ts";
import { Refused } from "#shared/storage/writes.ts";
import { openRun, runDue } from "#shared/application/run-due.ts";
import { remindOfCart } from "#shared/application/marketing/remind-of-cart.ts";
import { announcePrice } from "#shared/application/marketing/announce-price.ts";
import { announceStock } from "#shared/application/marketing/announce-stock.ts";

type CheckingShop = Shop<"table" | "apiBaseUrl" | "log" | "now" | "settings", "store" | "checkout">;

/** How many products and carts are checked concurrently. */
const width = 5;

/**
 * Each check publishes the letters that are due. Returns when to check again; null if nothing needs a check until a
 * later change schedules one.
 */
const checks: Record<
  MarketingTask,
  (about: string, deps: CheckingShop) => Promise<Timestamp | null>
> = {
  back_in_stock: announceStock,
  price_drop: announcePrice,
  cart_reminder: remindOfCart,
};

/**
 * Runs the checks that are due. A check that fails is postponed and does not delay others. While the API's address is
 * not configured, all checks wait: their letters need an unsubscribe link.
 *
 * @throws Error when a check failed for a reason that retrying may not fix, so that an alarm is raised. By then, all
 *   other checks are done or postponed
 */
export async function onScheduleMarketing(_event: unknown, shop: CheckingShop): Promise<void> {
  if (shop.apiBaseUrl === undefined) return;
  const broken = await runDue<MarketingTimer>(
    {
      list: (now, limit) => listDueTasks(shop.table, now, limit),
      groupBy: ({ task, about }) => `${task}#${about}`,
      per: "record",
      width,
      run: ({ task, about }) => checks[task](about, shop),
      // `Refused`: another writer has changed a record during the check.
      isTemporary: (error) => error instanceof Unavailable || error instanceof Refused,
      remove: removeTask,
      schedule: ({ task, about }, { at, attempts }) => scheduleTask({ task, about, at }, attempts),
      facts: ({ task, about }) => ({ task, about }),
      messages: {
        failed: "Check for marketing mail failed",
        postponed: "Check for marketing mail postponed",
        notUpdated: "Timers of marketing mail not updated: the next run checks again",
      },
    },
    shop,
    openRun(shop.now),
  );
  if (broken > 0) throw new Error(`${broken} checks for marketing mail failed`);
}

/** Writes the sitemaps and the product feed, if they are a day old or something in them has changed. Safe to repeat. */
export const onScheduleFeeds = (
  _event: unknown,
  shop: Shop<"table" | "publicFiles" | "mediaBaseUrl" | "apiBaseUrl" | "log" | "now">,
): Promise<void> => writeFeeds(shop);

/** Enqueues outbox rows and ids of erased customers again whose message was lost. Safe to repeat. */
export const onScheduleOutboxSweep = (
  _event: unknown,
  shop: Shop<"table" | "erasedIdsQueue" | "log" | "now" | "outboxQueue">,
): Promise<void> => sweepOutbox(shop);

/** Rotates signing keys that are due for rotation. Tokens signed by the previous key stay valid. */
export async function onScheduleTokenKeys(
  _event: unknown,
  shop: Shop<"log" | "now" | "randomBytes" | "tokenSecrets" | "secretsManager">,
): Promise<void> {
  const { tokenSecrets: secrets, secretsManager, randomBytes, log, now } = shop;
  for (const secret of secrets) {
    const isNew = await rotateOldKey(secret, { secretsManager, randomBytes, now: now() });
    if (isNew) log.info("Signing key rotated", { secret });
  }
}
