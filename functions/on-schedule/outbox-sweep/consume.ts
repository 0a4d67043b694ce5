import type { Shop } from "#shared/application/shop.ts";
import { sweepOutbox } from "#shared/application/mail/sweep-outbox.ts";

/** Enqueues outbox rows and ids of erased customers again whose message was lost. Safe to repeat. */
export const consume = (
  _event: unknown,
  shop: Shop<"table" | "erasedIdsQueue" | "log" | "now" | "outboxQueue">,
): Promise<void> => sweepOutbox(shop);
