import type { OrderRecord } from "../../domain/order/order.ts";
import {
  type GatewayAnswer,
  GatewayAsks,
  giveTurnBack,
  keepAnswer,
  takeTurn,
} from "../../storage/payment/gateway-asks.ts";
import { type Pause, wait } from "../../runtime/pause.ts";
import { Refused, unlessRefused } from "../../storage/writes.ts";
import { type AskedOrder, askGateway } from "./ask-gateway.ts";
import { openPayments } from "./begin-payment.ts";
import type { PaymentGateway } from "../../payments/gateway.ts";
import type { OrderDesk } from "./step-order.ts";

/** How long the gateway's last answer is reused before it is asked about the order again. */
const askEveryMs = 5_000;
/** How long a request waits for the answer that a concurrent one is getting. */
const answerTries = 20;
const answerPauseMs = 150;

interface Asking {
  /** Whether to open a payment for an order that waits for one and has none. */
  readonly begins: boolean;
  readonly now: Date;
  /** Tests pass their own. */
  readonly pause?: Pause;
}

/**
 * Calls `askGateway` for requests that anybody may repeat: the gateway is asked about one order at most every 5
 * seconds. In between, the stored order and the gateway's last answer are returned.
 *
 * @throws Unavailable when the gateway cannot be reached
 */
export async function askSparingly(
  desk: OrderDesk,
  record: OrderRecord,
  gateway: PaymentGateway,
  { begins, now, pause = wait }: Asking,
): Promise<AskedOrder> {
  const { id } = record.order;
  try {
    await desk.table.write(takeTurn(id, now, askEveryMs));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return lastAnswer(desk, record, pause);
  }
  return askInTurn(desk, record, gateway, { begins, now });
}

/** Asks the gateway without the 5-second limit: for a buyer who changes the payment method. */
export async function askAtOnce(
  desk: OrderDesk,
  record: OrderRecord,
  gateway: PaymentGateway,
  { begins, now }: Asking,
): Promise<AskedOrder> {
  await unlessRefused(desk.table.write(takeTurn(record.order.id, now, 0)));
  return askInTurn(desk, record, gateway, { begins, now });
}

async function askInTurn(
  desk: OrderDesk,
  record: OrderRecord,
  gateway: PaymentGateway,
  { begins, now }: Asking,
): Promise<AskedOrder> {
  const { id } = record.order;
  try {
    const asked = await askGateway(desk, record, gateway, { begins, now });
    await desk.table.write(keepAnswer(id, answerOf(asked, now)));
    return asked;
  } catch (error) {
    await desk.table.write(giveTurnBack(id)).catch(() => undefined);
    throw error;
  }
}

const answerOf = ({ agreed, payment }: AskedOrder, now: Date): GatewayAnswer => ({
  asked_at: now.toISOString(),
  agreed,
  payment: payment
    ? { id: payment.id, state: payment.state, client_secret: payment.clientSecret }
    : null,
});

/** The order with the last answer. A pending answer is awaited. */
async function lastAnswer(desk: OrderDesk, record: OrderRecord, pause: Pause): Promise<AskedOrder> {
  const { id } = record.order;
  let row = await desk.table.get(GatewayAsks, { order_id: id });
  for (let tries = 1; row?.asked_at !== row?.answer?.asked_at && tries < answerTries; tries++) {
    await pause(answerPauseMs);
    row = await desk.table.get(GatewayAsks, { order_id: id });
  }
  const latest = (await desk.orders.find(id)) ?? record;
  const answer = row?.answer;
  const payment = answer?.payment;
  // A payment that was cancelled since, for another payment method, cannot be paid.
  const counts = payment != null && openPayments(latest).includes(payment.id);
  return {
    record: latest,
    agreed: answer?.agreed ?? true,
    payment: counts
      ? { id: payment.id, state: payment.state, clientSecret: payment.client_secret }
      : undefined,
  };
}
