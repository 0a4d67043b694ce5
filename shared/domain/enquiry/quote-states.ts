import * as z from "zod";
import type { Machine } from "../order/status/order-states.ts";

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

/** The transitions of a quote's status. A sent offer can return to review unless it was converted into an order. */
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

/**
 * Whether staff may set a status. Other statuses follow from the customer's answer, an order or the end of validity.
 */
export const staffMayMoveTo = (status: QuoteStatus): boolean => staffMoves.has(status);

/** The current status of a quote: a sent offer expires at `valid_until`. */
export function quoteStatusAt(
  { status, valid_until }: { status: QuoteStatus; valid_until: string | null },
  now: Date,
): QuoteStatus {
  const offered = status === "sent" || status === "accepted";
  const over = valid_until !== null && Date.parse(valid_until) <= now.getTime();
  return offered && over ? "expired" : status;
}
