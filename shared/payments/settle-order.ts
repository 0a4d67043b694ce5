import type { GatewayPayment } from "../domain/gateway-payment.ts";
import type { OrderRecord } from "../domain/order.ts";
import { openGatewayRefunds } from "../domain/refunds.ts";
import { type Settlement, settlePayment, settleRefund } from "../domain/settle-payment.ts";
import type { PaymentGateway } from "./gateway.ts";
import { type OrderDesk, stepOrder } from "./step-order.ts";

/** Whether the gateway's word was taken; a mismatch is told to staff and changes nothing else. */
export interface Settled {
  readonly record: OrderRecord;
  readonly agreed: boolean;
}

/** A payment has one charge; its refunds settle one by one. */
const mostSteps = 200;

/**
 * Brings an order up to what the gateway says of one of its payments. May be called by anybody, at any time, at once.
 *
 * @returns undefined: there is no such order
 */
export async function settleOrder(
  desk: OrderDesk,
  orderId: string,
  payment: GatewayPayment,
  now: Date,
): Promise<Settled | undefined> {
  for (let taken = 0; taken < mostSteps; taken++) {
    const settlements: Settlement[] = [];
    const record = await stepOrder(desk, orderId, now, (found, given) => {
      const settlement = settlePayment(found, payment, given);
      settlements.push(settlement);
      return settlement.kind === "known" ? undefined : (settlement.change ?? undefined);
    });
    if (!record) return undefined;
    const last = settlements.at(-1)?.kind;
    if (last !== "changed") return { record, agreed: last === "known" };
  }
  throw new Error(`The payment ${payment.id} cannot be settled`);
}

/**
 * Asks the gateway for every refund that is still open, and settles what it answers. A refund is asked for under the
 * id of its row, so that asking again gives nothing twice.
 */
export async function makeRefunds(
  desk: OrderDesk,
  record: OrderRecord,
  gateway: PaymentGateway,
  now: Date,
): Promise<OrderRecord> {
  let latest = record;
  for (const { id: transactionId, amount, charge_id } of openGatewayRefunds(
    record.rows.transactions,
  )) {
    const paymentId = record.rows.transactions.find(({ id }) => id === charge_id)?.provider_ref;
    if (paymentId == null) throw new Error(`The refund ${transactionId} is of no charge`);
    const refund = await gateway.refund({ paymentId, amount, transactionId });
    latest =
      (await stepOrder(desk, record.order.id, now, (found) =>
        settleRefund(found, paymentId, refund, now),
      )) ?? latest;
  }
  return latest;
}
