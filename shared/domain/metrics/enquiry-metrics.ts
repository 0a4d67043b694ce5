import { type Tally, rowName } from "./metrics.ts";
import type { StoredLead } from "../enquiry/lead.ts";
import type { Message } from "../inbox/message.ts";
import type { StoredQuote } from "../enquiry/quote.ts";
import { dayIn } from "../base/day.ts";
import { type Stock, isLow } from "../catalog/stock.ts";

const dayOf = (at: string, timezone: string) => dayIn(timezone, new Date(at));

/** The tally of a lead. A lead counts once, under its type and current status, on the day it arrived. */
export const leadTally = (
  { created_at, type, status }: Pick<StoredLead, "created_at" | "type" | "status">,
  timezone: string,
): Tally => ({
  [rowName("leads", dayOf(created_at, timezone))]: {
    leads: 1,
    [`type_${type}`]: 1,
    [`status_${status}`]: 1,
  },
});

export const quoteTally = (
  { created_at, status }: Pick<StoredQuote, "created_at" | "status">,
  timezone: string,
): Tally => ({
  [rowName("leads", dayOf(created_at, timezone))]: { quotes: 1, [`quote_${status}`]: 1 },
});

/**
 * The tally of a message.
 *
 * @param waitingSince when the customer's wait for this answer began; null if the customer was not waiting
 */
export function messageTally(
  { direction, state, at }: Pick<Message, "direction" | "state" | "at">,
  waitingSince: string | null,
  timezone: string,
): Tally {
  const row = rowName("messages", dayOf(at, timezone));
  if (direction === "inbound") return { [row]: { received: 1 } };
  const waited = waitingSince === null ? null : Date.parse(at) - Date.parse(waitingSince);
  return {
    [row]: {
      written: 1,
      [`state_${state}`]: 1,
      ...(waited !== null && {
        responses: 1,
        response_seconds: Math.max(0, Math.round(waited / 1000)),
      }),
    },
  };
}

/**
 * When the customer began to wait for an answer; null if staff wrote last.
 *
 * @param earlier the messages before the answer, newest first
 */
export function waitingSince(earlier: readonly Pick<Message, "direction" | "at">[]): string | null {
  const answered = earlier.findIndex(({ direction }) => direction === "outbound");
  const waiting = answered === -1 ? earlier : earlier.slice(0, answered);
  return waiting.at(-1)?.at ?? null;
}

export const conversationTally = (created_at: string, timezone: string): Tally => ({
  [rowName("messages", dayOf(created_at, timezone))]: { conversations: 1 },
});

/** The tally of a SKU that is low in stock or out of stock; empty for other SKUs. */
export function stockTally(row: Stock | undefined): Tally {
  if (!row || !isLow(row)) return {};
  const none = row.available <= 0 && row.policy === "deny";
  return { [rowName("standing", "now")]: { low_stock: 1, ...(none && { out_of_stock: 1 }) } };
}
