import * as z from "zod";
import { plainReference } from "../../domain/payment/record-payment.ts";
import type { LedgerRow } from "../../domain/payment/payment.ts";
import { AppError } from "../../domain/request/app-error.ts";
import { absent, below, either } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type Refused, type TransactionWrite, type Write, update } from "../writes.ts";

/** How many payments have a reference of a transfer, a cheque, a card terminal or UPI. */
export const PaymentReferences = entity({
  name: "payment_reference",
  notExported: "derived",
  schema: z.object({
    reference: z.string(),
    /** The order whose payment was recorded with it last. */
    order_id: z.string(),
    uses: z.int(),
  }),
  key: ({ reference }: { reference: string }) => ({
    pk: `PAYMENTREFERENCE#${reference}`,
    sk: "USES",
  }),
});

/** The key of a payment's reference; undefined if several payments may have the same. */
function referenceOf({ tender, provider_ref }: LedgerRow): { reference: string } | undefined {
  const isOwn = tender !== null && tender !== "cash" && tender !== "finance";
  const plain = isOwn && provider_ref !== null ? plainReference(provider_ref) : "";
  return plain === "" ? undefined : { reference: plain };
}

/**
 * Counts the use of a payment's reference.
 *
 * @param again false to refuse a reference that a payment of another order has, with `already_exists`
 */
export function useReference(
  order_id: string,
  payment: LedgerRow,
  again: boolean,
): TransactionWrite[] {
  const id = referenceOf(payment);
  if (!id) return [];
  const isFree = either(absent("uses"), below("uses", 1));
  const changes = { set: { ...id, order_id }, add: { uses: 1 } };
  const write = update(PaymentReferences, id, changes, again ? undefined : isFree);
  return [{ write, refused: usedElsewhere }];
}

const usedElsewhere = ({ first: { conflictingItem: row } }: Refused) =>
  new AppError("already_exists", {
    message:
      "A payment of another order has this reference. Send again: true if both were paid with it.",
    details: { path: "reference", id: String(row?.["order_id"]), reference: row?.["reference"] },
  });

/** Gives back the reference of a payment that was entered by mistake. */
export function freeReference(payment: LedgerRow): Write[] {
  const id = referenceOf(payment);
  return id ? [update(PaymentReferences, id, { add: { uses: -1 } })] : [];
}
