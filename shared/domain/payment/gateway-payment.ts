import * as z from "zod";
import { Currency, MoneySum } from "../base/money.ts";

/** A refund as the gateway keeps it. */
export const GatewayRefund = z.object({
  /** The gateway's own. */
  id: z.string(),
  state: z.enum(["pending", "succeeded", "failed"]),
  amount: MoneySum,
  /** Ours, when we asked for it; null: somebody gave it in the gateway's own pages. */
  transaction_id: z.string().nullable(),
});
export type GatewayRefund = z.output<typeof GatewayRefund>;

/** A payment as the gateway keeps it, with all that was given back of it: what it says now, not what it said once. */
export const GatewayPayment = z.object({
  /** The gateway's own. */
  id: z.string(),
  /** The order that it was made for, as we told the gateway then. */
  order_id: z.string().nullable(),
  /**
   * `open`: the buyer has to do something; `processing`: the bank has; `succeeded` and `cancelled` are final.
   * `failed`: the last attempt was declined, and the buyer may try again.
   */
  state: z.enum(["open", "processing", "failed", "succeeded", "cancelled"]),
  /** What was asked for. */
  amount: MoneySum,
  /** What was captured. */
  received: MoneySum,
  currency: Currency,
  /** Why the last attempt was declined, in the gateway's words for the buyer. */
  decline_reason: z.string().nullable(),
  refunds: z.array(GatewayRefund),
});
export type GatewayPayment = z.output<typeof GatewayPayment>;
