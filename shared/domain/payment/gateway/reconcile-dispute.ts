import { writtenAmount } from "../../base/money.ts";
import { changeOf } from "../../order/order-change.ts";
import type { OrderChange } from "../../order/order-step.ts";
import type { OrderRecord } from "../../order/order.ts";
import type { GatewayDispute, GatewayPayment } from "./gateway-payment.ts";
import { ledgerId } from "./opened-charge.ts";
import type { LedgerRow } from "../payment.ts";

/** The effect of a payment's first dispute with news; undefined if none has news. */
export function disputeChange(
  record: OrderRecord,
  { id, disputes }: GatewayPayment,
  now: Date,
): OrderChange | undefined {
  for (const dispute of disputes) {
    const change = reconcileDispute(record, id, dispute, now);
    if (change) return change;
  }
  return undefined;
}

const entryTypes = { open: "dispute_opened", won: "dispute_won", lost: "dispute_lost" } as const;

/**
 * A dispute that is open needs attention, until it is won. A lost one is a row of the ledger, which lowers what can be
 * refunded and makes nothing due. A timeline entry that names the dispute shows which news were handled.
 */
function reconcileDispute(
  record: OrderRecord,
  paymentId: string,
  { id, state, amount }: GatewayDispute,
  now: Date,
): OrderChange | undefined {
  const { order, rows } = record;
  const isHandled = (of: GatewayDispute["state"]) =>
    rows.timeline.some(({ type, message }) => type === entryTypes[of] && message.includes(id));
  if (isHandled("won") || isHandled("lost") || isHandled(state)) return undefined;
  // Nobody has to know of a dispute that was over before it was seen, unless it took money.
  if (state === "won" && !isHandled("open")) return undefined;
  const written = writtenAmount(amount, order.currency, "en");
  const message = {
    open: `The buyer's bank disputes ${written} of a payment (${id}). Answer it at the gateway.`,
    won: `The dispute about ${written} of a payment (${id}) was won.`,
    lost: `The dispute about ${written} of a payment (${id}) was lost. The bank has taken the money back.`,
  }[state];
  const about = ledgerId(paymentId);
  const attention = order.attention.filter(
    (flag) => flag.code !== "disputed" || flag.about !== about,
  );
  return changeOf(
    record,
    {
      set: { attention },
      entries: [{ type: entryTypes[state], message, public: false }],
      transactions: state === "lost" ? [lostRow(paymentId, { id, amount }, now)] : [],
      attention: state === "won" ? [] : [{ code: "disputed", message, about }],
    },
    now,
  );
}

const lostRow = (
  paymentId: string,
  { id, amount }: Pick<GatewayDispute, "id" | "amount">,
  now: Date,
): LedgerRow => ({
  id: ledgerId(id),
  type: "dispute",
  state: "succeeded",
  amount,
  method: "gateway",
  tender: null,
  provider_ref: id,
  charge_id: ledgerId(paymentId),
  items: [],
  reason: null,
  received_on: null,
  batch_id: null,
  at: now.toISOString(),
});
