import { hash } from "node:crypto";
import type { GatewayPayment } from "./gateway-payment.ts";
import { type Transaction, charge } from "./payment.ts";

/** The ledger's id of what only the gateway has named: the same, whoever hears of it first. */
export const ledgerId = (gatewayId: string): string =>
  `txn_${hash("sha256", gatewayId, "hex").slice(0, 26).toUpperCase()}`;

/** The ledger's row of a payment that the gateway has opened. */
export const openedCharge = (
  { id, amount }: Pick<GatewayPayment, "id" | "amount">,
  at: string,
): Transaction =>
  charge({ id: ledgerId(id), state: "pending", amount, method: "gateway", provider_ref: id, at });
