import * as z from "zod";
import { dayIn } from "../base/day.ts";
import { createdAt } from "../base/ids.ts";
import { Currency, Money, writtenAmount } from "../base/money.ts";
import { changeOf, withEntries } from "../order/order-change.ts";
import type { OrderChange } from "../order/order-step.ts";
import type { OrderRecord, StoredOrder } from "../order/order.ts";
import { Tender, type Transaction, charge, isInEffect } from "./payment.ts";
import { type MoneyContext, receiveMoney } from "./receive-money.ts";
import { Day, MultilineText, Text } from "../base/text.ts";

/** A reference that identifies a refund or payment: a bank transaction number or a receipt number. */
export const Reference = Text(120);

/** A payment that staff have received. */
export const PaymentInput = z
  .strictObject({
    amount: Money.min(1),
    currency: Currency.optional().meta({ description: "Must be the order's currency" }),
    tender: Tender.optional().meta({
      description:
        "How the money was paid. A cheque counts once it is cleared. Default: by `method`",
    }),
    method: z
      .enum(["cod", "bank_transfer"])
      .optional()
      .meta({ description: "Follows from `tender`; alone, it means cash or a bank transfer" }),
    reference: Reference.nullish().meta({
      description:
        "Reference of the bank or the receipt. Required for a transfer, a cheque and financing; unique within the order",
    }),
    again: z.boolean().default(false).meta({
      description: "Accept a reference that a payment of another order has",
    }),
    received_on: Day.nullish().meta({
      description: "From the day of the order, or of its quote, until today. Default: today",
    }),
    note: MultilineText(1_000).nullish().meta({ description: "Visible to staff only" }),
  })
  .refine(({ tender, method }) => tender !== undefined || method !== undefined, {
    path: ["tender"],
    error: "The tender field is required.",
  })
  .refine(
    ({ tender, method }) =>
      tender === undefined || method === undefined || method === methodOf(tender),
    { path: ["method"], error: "The method field does not fit the tender." },
  )
  .refine((input) => input.reference != null || methodOf(tenderOf(input)) === "cod", {
    when: ({ issues }) => issues.length === 0,
    path: ["reference"],
    error: "The reference field is required unless the money was paid in cash, by card or UPI.",
  });
export type PaymentInput = z.output<typeof PaymentInput>;

/** The payment method that a tender counts as. */
export const methodOf = (tender: Tender): "cod" | "bank_transfer" =>
  tender === "cash" || tender === "card_terminal" || tender === "upi" ? "cod" : "bank_transfer";

const tenderOf = ({
  tender,
  method,
}: {
  readonly tender?: Tender | undefined;
  readonly method?: "cod" | "bank_transfer" | undefined;
}): Tender => tender ?? (method === "cod" ? "cash" : "bank_transfer");

/** The day of an order, or that of its oldest quote, whose buyer may have paid before the order was placed. */
export function firstDayOf(
  { placed_at, quotes }: Pick<StoredOrder, "placed_at" | "quotes">,
  timezone: string,
): string {
  const began = [new Date(placed_at), ...quotes.map(({ id }) => createdAt(id))];
  return dayIn(timezone, new Date(Math.min(...began.map(Number))));
}

export type PaymentRecording =
  | { readonly kind: "refused"; readonly path: string; readonly message: string }
  /** The order already has a payment with this reference. */
  | { readonly kind: "repeated"; readonly earlier: Transaction }
  | { readonly kind: "recorded"; readonly change: OrderChange };

const words: Readonly<Record<Tender, string>> = {
  cash: "Cash",
  card_terminal: "A card payment",
  upi: "A UPI payment",
  cheque: "A cheque",
  bank_transfer: "A transfer",
  finance: "Financing",
};

/**
 * Records a payment that staff have received, in any status of the order.
 *
 * @param facts.id of the ledger row
 * @param facts.today in the shop's time zone
 * @param facts.since the first day on which money for the order can have been received, see `firstDayOf`
 */
export function recordPayment(
  record: OrderRecord,
  input: Omit<PaymentInput, "again">,
  { id, today, since }: { id: string; today: string; since: string },
  context: MoneyContext,
): PaymentRecording {
  const { order, rows } = record;
  const { amount, currency = order.currency } = input;
  const tender = tenderOf(input);
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
  if (input.received_on && received_on < since) {
    const message = `The received on field must not be before the order: ${since}.`;
    return { kind: "refused", path: "received_on", message };
  }
  const earlier = reference === null ? undefined : paidUnder(reference, rows.transactions);
  if (earlier) return { kind: "repeated", earlier };

  const arrived = charge({
    id,
    state: tender === "cheque" ? "pending" : "succeeded",
    amount,
    method: methodOf(tender),
    tender,
    provider_ref: reference,
    received_on,
    at: context.now.toISOString(),
  });
  const note = [
    `${words[tender]} of ${writtenAmount(amount, currency, "en")} was received on ${received_on}`,
    reference === null ? "." : `, reference ${reference}.`,
    input.note ? ` ${input.note}` : "",
  ].join("");
  const change =
    tender === "cheque"
      ? changeOf(record, { transactions: [arrived], set: withoutExpiry }, context.now)
      : receiveMoney(record, arrived, context);
  const entry = { type: "payment_recorded", message: note, public: false };
  return { kind: "recorded", change: withEntries(change, [entry]) };
}

/** An order whose cheque is neither cleared nor bounced does not expire. */
const withoutExpiry = { expires_at: null } as const;

/**
 * The earlier payment with this reference. Spaces and case are ignored, because a person may type the same reference in
 * two ways.
 */
function paidUnder(reference: string, ledger: readonly Transaction[]): Transaction | undefined {
  return ledger.find(
    ({ type, method, state, provider_ref }) =>
      type === "charge" &&
      method !== "gateway" &&
      isInEffect({ state }) &&
      provider_ref !== null &&
      plainReference(provider_ref) === plainReference(reference),
  );
}

/** A reference without spaces and in upper case. */
export const plainReference = (reference: string) => reference.replaceAll(/\s/g, "").toUpperCase();
