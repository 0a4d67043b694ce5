import type { OutboxEvent } from "../../base/outbox-event.ts";
import type { DeliverySlot } from "../../delivery/delivery-slot.ts";
import type { Step } from "../order-step.ts";
import type { OrderReturn, ReturnEvent } from "./order-return.ts";

/** What the buyer's timeline says about each event of a return. */
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
  send_back_planned: "We will bring back what stays yours.",
  sent_back: "You have back what stays yours.",
};

interface AnsweredStep {
  readonly changeId: string | null;
  readonly answer: string | null;
}

/**
 * The step that stores a return after an event: its row, the buyer's timeline and the letter, which is about the new status
 * if there is one.
 *
 * @param through what happens to the return, in its sequence
 * @param step.changeId the change of the order that the step makes; null if it makes none
 * @param step.answer what the shop writes to the buyer about this step
 */
export const returnStep = (
  after: OrderReturn,
  through: readonly ReturnEvent[],
  step: AnsweredStep = { changeId: null, answer: null },
): Pick<Step, "returns" | "entries" | "events"> => ({
  returns: [after],
  entries: through.map((event) => ({
    type: `return_${event}`,
    message: visitSaid(event, after) ?? said[event],
    public: true,
  })),
  events: [outboxEvent(after, through, step)],
});

function outboxEvent(
  { id, order_id, status, updated_at }: OrderReturn,
  through: readonly ReturnEvent[],
  { changeId, answer }: AnsweredStep,
): OutboxEvent {
  const about = through.includes(status) ? status : (through.at(-1) ?? status);
  return {
    type: "return_changed",
    order_id,
    return_id: id,
    status: about,
    answer,
    change_id: changeId,
    at: updated_at,
  };
}

function visitSaid(event: ReturnEvent, { pickup, send_back }: OrderReturn): string | undefined {
  if (event === "pickup_scheduled" && pickup) {
    return `We will collect your return on ${timeOf(pickup)}.`;
  }
  if (event === "send_back_planned" && send_back) {
    return `We will bring back what stays yours on ${timeOf(send_back)}.`;
  }
  return undefined;
}

const timeOf = ({ date, from, to }: DeliverySlot): string => `${date}, ${from} to ${to}`;
