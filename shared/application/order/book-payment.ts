import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import type { Transaction } from "#shared/domain/payment/payment.ts";
import {
  type PaymentInput,
  firstDayOf,
  recordPayment,
} from "#shared/domain/payment/record-payment.ts";
import { AppError, invalidField, orNotFound } from "#shared/domain/request/app-error.ts";
import type { OrderStep } from "./step-order.ts";
import { useReference } from "#shared/storage/payment/payment-references.ts";
import { type BookingCall, bookOnce } from "./step-by-call.ts";

/**
 * Records a payment that the shop has received for an order, once per idempotency key.
 *
 * @param answerOf the response for the order after the step, and its payment
 * @throws AppError as `bookOnce`, `validation_failed`, `already_exists` for a payment with the same reference
 */
export async function bookPayment<Data>(
  call: BookingCall & { readonly body: PaymentInput },
  shop: Shop<"table" | "settings", CommerceGroup>,
  answerOf: (after: OrderRecord, payment: Transaction) => { data: Data; version: number },
) {
  const id = newId("txn", call.now);
  const { store } = await shop.settings.current();
  const step = bookingStep(call, { id, timezone: store.timezone });
  return bookOnce(call, shop, step, {
    what: "payment",
    id,
    answerOf: (record) =>
      answerOf(record, orNotFound(record.rows.transactions.find((row) => row.id === id))),
  });
}

function bookingStep(
  { body, now }: { readonly body: PaymentInput; readonly now: Date },
  { id, timezone }: { readonly id: string; readonly timezone: string },
): OrderStep {
  return (record, context) => {
    const since = firstDayOf(record.order, timezone);
    const facts = { id, today: dayIn(timezone, now), since };
    const outcome = recordPayment(record, body, facts, context);
    switch (outcome.kind) {
      case "refused":
        throw invalidField(outcome.path, outcome.message);
      case "repeated": {
        const { id: earlier, provider_ref: reference } = outcome.earlier;
        throw new AppError("already_exists", {
          message: "The order already has a payment with this reference.",
          details: { path: "reference", id: earlier, reference },
        });
      }
      case "recorded": {
        const { change } = outcome;
        const writes = change.transactions
          .filter((row) => row.id === id)
          .flatMap((row) => useReference(record.order.id, row, body.again));
        return { ...change, writes };
      }
    }
  };
}
