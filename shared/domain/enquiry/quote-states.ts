import * as z from "zod";
import type { Machine } from "../order/order-states.ts";

export const QuoteStatus = z.enum([
  "submitted",
  "in_review",
  "sent",
  "accepted",
  "declined",
  "expired",
  "converted",
]);
export type QuoteStatus = z.output<typeof QuoteStatus>;

/** An offer that was made can be taken back into review, unless an order came of it. */
export const quoteMachine: Machine<QuoteStatus> = {
  submitted: ["in_review", "declined"],
  in_review: ["sent", "declined"],
  sent: ["in_review", "accepted", "declined", "expired"],
  accepted: ["in_review", "expired", "converted"],
  declined: ["in_review"],
  expired: ["in_review"],
  converted: [],
};

const staffMoves: ReadonlySet<QuoteStatus> = new Set(["in_review", "sent", "declined"]);

/** Whether staff may bring a quote into a state; into the others its customer, an order or time does. */
export const staffMayMoveTo = (status: QuoteStatus): boolean => staffMoves.has(status);

/** The state that a quote is in now: what was offered ends by itself. */
export function quoteStatusAt(
  { status, valid_until }: { status: QuoteStatus; valid_until: string | null },
  now: Date,
): QuoteStatus {
  const offered = status === "sent" || status === "accepted";
  const over = valid_until !== null && Date.parse(valid_until) <= now.getTime();
  return offered && over ? "expired" : status;
}
