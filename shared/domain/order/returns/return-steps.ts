import type { OutboxEvent } from "../../base/outbox-event.ts";
import type { Step } from "../order-step.ts";
import type { OrderReturn, ReturnStatus } from "./order-return.ts";

/** What the buyer's timeline says about each status of a case. */
const said: Readonly<Record<ReturnStatus, string>> = {
  requested: "A return was requested.",
  approved: "Your return is approved.",
  declined: "Your return was declined.",
  pickup_scheduled: "We will collect your return.",
  received: "Your return has arrived.",
  inspected: "We have checked your return.",
  refunded: "Your return is settled with a refund.",
  exchanged: "You get other items for your return.",
  repaired: "Your item is repaired, or its parts are on their way.",
  closed: "Your return is closed.",
  cancelled: "Your return was cancelled.",
};

/**
 * The step that stores a case in a new status: its row, the buyer's timeline and the letter.
 *
 * @param through the statuses that the case enters, the last one last
 * @param changeId the change of the order that the step makes; null if it makes none
 */
export const returnStep = (
  after: OrderReturn,
  through: readonly ReturnStatus[],
  changeId: string | null = null,
): Pick<Step, "returns" | "entries" | "events"> => ({
  returns: [after],
  entries: through.map((status) => ({
    type: `return_${status}`,
    message: pickupSaid(status, after) ?? said[status],
    public: true,
  })),
  events: [eventOf(after, changeId)],
});

function eventOf({ id, order_id, status }: OrderReturn, change_id: string | null): OutboxEvent {
  return change_id === null
    ? { type: "return_changed", order_id, return_id: id, status }
    : { type: "return_settled", order_id, return_id: id, change_id };
}

function pickupSaid(status: ReturnStatus, { pickup }: OrderReturn): string | undefined {
  if (status !== "pickup_scheduled" || !pickup) return undefined;
  const { date, from, to } = pickup;
  return `We will collect your return on ${date}, ${from} to ${to}.`;
}
