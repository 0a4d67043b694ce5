import type { OutboxEvent } from "../../base/outbox-event.ts";
import type { DeliverySlot } from "../../delivery/delivery-slot.ts";
import type { Step } from "../order-step.ts";
import type { OrderReturn, ReturnEvent } from "./order-return.ts";

/** What the buyer's timeline says about each event of a case. */
const said: Readonly<Record<ReturnEvent, string>> = {
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
  give_back_planned: "We will bring back what stays yours.",
  given_back: "You have back what stays yours.",
};

/**
 * The step that stores a case after an event: its row, the buyer's timeline and the letter, which is about the new status
 * if there is one.
 *
 * @param through what happens to the case, in its sequence
 * @param changeId the change of the order that the step makes; null if it makes none
 */
export const returnStep = (
  after: OrderReturn,
  through: readonly ReturnEvent[],
  changeId: string | null = null,
): Pick<Step, "returns" | "entries" | "events"> => ({
  returns: [after],
  entries: through.map((event) => ({
    type: `return_${event}`,
    message: visitSaid(event, after) ?? said[event],
    public: true,
  })),
  events: [outboxEvent(after, through, changeId)],
});

function outboxEvent(
  { id, order_id, status }: OrderReturn,
  through: readonly ReturnEvent[],
  change_id: string | null,
): OutboxEvent {
  if (change_id !== null) return { type: "return_settled", order_id, return_id: id, change_id };
  const about = through.includes(status) ? status : (through.at(-1) ?? status);
  return { type: "return_changed", order_id, return_id: id, status: about };
}

function visitSaid(event: ReturnEvent, { pickup, give_back }: OrderReturn): string | undefined {
  if (event === "pickup_scheduled" && pickup) {
    return `We will collect your return on ${timeOf(pickup)}.`;
  }
  if (event === "give_back_planned" && give_back) {
    return `We will bring back what stays yours on ${timeOf(give_back)}.`;
  }
  return undefined;
}

const timeOf = ({ date, from, to }: DeliverySlot): string => `${date}, ${from} to ${to}`;
