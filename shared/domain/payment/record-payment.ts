import * as z from "zod";
import { Currency, Money, writtenAmount } from "../base/money.ts";
import { type OrderChange, withEntries } from "../order/order-change.ts";
import type { OrderRecord } from "../order/order.ts";
import { type Transaction, charge } from "./payment.ts";
import { type MoneyContext, receiveMoney } from "./receive-money.ts";
import { Day, MultilineText, Text } from "../base/text.ts";

/** A reference that identifies a refund or payment: a bank transaction number or a receipt number. */
export const Reference = Text(120);

/** A payment that staff have received. */
export const PaymentInput = z
  .strictObject({
    amount: Money.min(1),
    currency: Currency.optional().meta({ description: "Must be the order's currency" }),
    method: z.enum(["cod", "bank_transfer"]),
    reference: Reference.nullish().meta({
      description:
        "Reference of the bank or the receipt. Required for a transfer; unique within the order",
    }),
    received_on: Day.nullish().meta({ description: "Default: today" }),
    note: MultilineText(1_000).nullish().meta({ description: "Visible to staff only" }),
  })
  .refine(({ method, reference }) => method !== "bank_transfer" || reference != null, {
    path: ["reference"],
    error: "The reference field is required for a transfer.",
  });
export type PaymentInput = z.output<typeof PaymentInput>;

export type PaymentRecording =
  | { readonly kind: "refused"; readonly path: string; readonly message: string }
  /** The order already has a payment with this reference. */
  | { readonly kind: "repeated"; readonly earlier: Transaction }
  | { readonly kind: "recorded"; readonly change: OrderChange };

const words = { cod: "Cash", bank_transfer: "A transfer" } as const;

/**
 * Records a payment that staff have received, in any status of the order.
 *
 * @param id of the ledger row
 * @param today in the shop's time zone
 */
export function recordPayment(
  record: OrderRecord,
  input: PaymentInput,
  { id, today }: { id: string; today: string },
  context: MoneyContext,
): PaymentRecording {
  const { order, rows } = record;
  const { amount, method, currency = order.currency } = input;
  const reference = input.reference ?? null;
  const received_on = input.received_on ?? today;
  if (currency !== order.currency) {
    const message = `The currency must be the order's: ${order.currency}.`;
    return { kind: "refused", path: "currency", message };
  }
  if (received_on > today) {
    const message = "The received on field must not be in the future.";
    return { kind: "refused", path: "received_on", message };
  }
  const earlier = reference === null ? undefined : paidUnder(reference, rows.transactions);
  if (earlier) return { kind: "repeated", earlier };

  const arrived = charge({
    id,
    state: "succeeded",
    amount,
    method,
    provider_ref: reference,
    received_on,
    at: context.now.toISOString(),
  });
  const note = [
    `${words[method]} of ${writtenAmount(amount, currency, "en")} was received on ${received_on}`,
    reference === null ? "." : `, reference ${reference}.`,
    input.note ? ` ${input.note}` : "",
  ].join("");
  const change = receiveMoney(record, arrived, context);
  const entry = { type: "payment_recorded", message: note, public: false };
  return { kind: "recorded", change: withEntries(change, [entry]) };
}

/**
 * The earlier payment with this reference. Spaces and case are ignored, because a person may type the same reference in
 * two ways.
 */
function paidUnder(reference: string, ledger: readonly Transaction[]): Transaction | undefined {
  return ledger.find(
    ({ type, method, provider_ref }) =>
      type === "charge" &&
      method !== "gateway" &&
      provider_ref !== null &&
      plain(provider_ref) === plain(reference),
  );
}

const plain = (reference: string) => reference.replaceAll(/\s/g, "").toUpperCase();
