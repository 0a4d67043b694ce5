import { dayIn } from "#shared/domain/base/day.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { PlaceQuoteInput } from "#shared/domain/checkout/quote-placement.ts";
import { changed } from "#shared/domain/order/order-step.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { amountToConfirm } from "#shared/domain/payment/owing.ts";
import { recordPayment } from "#shared/domain/payment/record-payment.ts";
import { cashToConfirm } from "#shared/domain/payment/rounding.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { usedElsewhere } from "#shared/application/order/book-payment.ts";
import { paymentRows } from "#shared/storage/order/order-changes.ts";
import { useReference } from "#shared/storage/payment/payment-references.ts";
import type { TransactionWrite } from "#shared/storage/writes.ts";

/** A new order with the payment that came with it, and the writes that store the payment beside the order. */
interface PaidAtOnce {
  readonly record: OrderRecord;
  readonly writes: readonly TransactionWrite[];
}

/**
 * Adds the payment that staff have received for an order that they place.
 *
 * @throws AppError `validation_failed`
 */
export function receivedAtOnce(
  placed: OrderRecord,
  { tender, amount, reference, again }: PlaceQuoteInput["payment"],
  { settings, now }: { readonly settings: Settings; readonly now: Date },
): PaidAtOnce {
  if (tender === undefined) return { record: placed, writes: [] };
  const { order } = placed;
  const due = amountToConfirm(order);
  const usual = tender === "cash" ? cashToConfirm(order, due) : due;
  const id = newId("txn", now);
  const outcome = recordPayment(
    placed,
    { tender, amount: amount ?? usual, reference },
    { id, today: dayIn(settings.store.timezone, now) },
    { now, newTransactionId: () => newId("txn", now), stockAvailable: true },
  );
  if (outcome.kind !== "recorded")
    throw invalidField("payment.amount", "This payment cannot be recorded.");
  const { change } = outcome;
  return {
    record: changed(placed, change),
    writes: [
      ...paymentRows(order, change, now),
      ...change.transactions
        .flatMap((row) => useReference(order.id, row, again))
        .map((write): TransactionWrite => ({ write, refused: usedElsewhere })),
    ],
  };
}
