import type { Step } from "../order-step.ts";
import type { StoredOrder } from "../order.ts";

export const paidEntry = {
  type: "paid",
  message: "We have received your payment.",
  public: true,
} as const;

const depositEntry = {
  type: "deposit_paid",
  message: "We have received your deposit.",
  public: true,
} as const;

/** Once the order is paid as far as it has to be, staff no longer have to decide about its partial payment. */
export const withoutPart = ({ attention }: Pick<StoredOrder, "attention">) =>
  attention.filter(({ code }) => code !== "part_paid");

/**
 * Confirms an order that is paid as far as it has to be.
 *
 * @param isWhole whether nothing more is due
 */
export const confirmed = (
  order: Pick<StoredOrder, "id" | "attention">,
  isWhole: boolean,
): Step & Required<Pick<Step, "set" | "entries" | "events">> => ({
  set: { status: "confirmed", expires_at: null, attention: withoutPart(order) },
  entries: [
    isWhole ? paidEntry : depositEntry,
    { type: "confirmed", message: "Your order is confirmed.", public: true },
  ],
  events: [{ type: "order_paid", order_id: order.id }],
});
