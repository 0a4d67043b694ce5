import { hash } from "node:crypto";
import type { GatewayPayment } from "./gateway-payment.ts";
import { type Transaction, charge } from "../payment.ts";

/**
 * The ledger id of a payment or refund at the gateway. It is derived from the gateway's id, so that a webhook and a
 * scheduled check compute the same ledger id.
 */
export const ledgerId = (gatewayId: string): string =>
  `txn_${hash("sha256", gatewayId, "hex").slice(0, 26).toUpperCase()}`;

/** The ledger row of a payment that the gateway has opened. */
export const openedCharge = (
  { id, amount }: Pick<GatewayPayment, "id" | "amount">,
  at: string,
): Transaction =>
  charge({ id: ledgerId(id), state: "pending", amount, method: "gateway", provider_ref: id, at });
