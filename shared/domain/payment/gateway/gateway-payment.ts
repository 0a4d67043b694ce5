import * as z from "zod";
import { Currency, MoneySum } from "../../base/money.ts";

/** Why the gateway, or the bank behind it, refuses a refund for good. */
export const GatewayRefusal = z.object({
  /** The gateway's code; null if it gives none. */
  code: z.string().nullable(),
  /** The gateway's message, for staff. */
  reason: z.string(),
});
export type GatewayRefusal = z.output<typeof GatewayRefusal>;

const RefundState = z.object({
  state: z.enum(["pending", "succeeded", "failed"]),
  amount: MoneySum,
  /** Why it failed; null unless it failed, and if the gateway does not say why. */
  refusal: GatewayRefusal.nullable(),
});

/** A refund at the gateway, or one of ours that it refused to make and that has no id there. */
export const GatewayRefund = z.union([
  RefundState.extend({
    /** The gateway's id. */
    id: z.string(),
    /** The id of our ledger row, if we requested the refund; null if it was made in the gateway's dashboard. */
    transaction_id: z.string().nullable(),
  }),
  RefundState.extend({ id: z.null(), transaction_id: z.string() }),
]);
export type GatewayRefund = z.output<typeof GatewayRefund>;

/** A bank's claim to take money back that its buyer has paid. */
export const GatewayDispute = z.object({
  /** The gateway's id. */
  id: z.string(),
  /** `open`: the shop or the bank has to act. `lost`: the bank has taken the money back. */
  state: z.enum(["open", "won", "lost"]),
  amount: MoneySum,
  /** Whether the gateway still refunds the disputed payment. */
  is_refundable: z.boolean(),
});
export type GatewayDispute = z.output<typeof GatewayDispute>;

/** The current state of a payment at the gateway, with all its refunds and disputes. */
export const GatewayPayment = z.object({
  /** The gateway's id. */
  id: z.string(),
  /** The order that the payment was created for, from its metadata. */
  order_id: z.string().nullable(),
  /**
   * `open`: the buyer has to act; `processing`: the bank has to act; `succeeded` and `cancelled` are final. `failed`:
   * the last attempt was declined, and the buyer may try again.
   */
  state: z.enum(["open", "processing", "failed", "succeeded", "cancelled"]),
  /** The requested amount. */
  amount: MoneySum,
  /** The captured amount. */
  received: MoneySum,
  currency: Currency,
  /** The gateway's message for the buyer about why the last attempt was declined. */
  decline_reason: z.string().nullable(),
  refunds: z.array(GatewayRefund),
  disputes: z.array(GatewayDispute),
});
export type GatewayPayment = z.output<typeof GatewayPayment>;
