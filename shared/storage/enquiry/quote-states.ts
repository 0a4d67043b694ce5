import type { QuoteState } from "../../domain/cart/quoted-line.ts";
import type { StoredOrder } from "../../domain/order/order.ts";
import { type Condition, either, every, is } from "../conditions.ts";
import { projection } from "../entity.ts";
import { Quotes, quotesIn } from "./quotes.ts";
import { type Read, at } from "../reads.ts";
import { type Write, update } from "../writes.ts";

/** The members that carts and checkout read of a quote. */
const QuoteStates = projection(Quotes, [
  "id",
  "status",
  "revision",
  "channel",
  "location",
  "sold_by",
  "payment_plan",
  "shipping_method",
  "coupon",
  "free_shipping",
  "lead_id",
]);

/** The id of a quote and the revision that was sent. */
type Offer = StoredOrder["quotes"][number];

/** Reads the state of a quote. */
export const readQuoteState = (id: string): Read<QuoteState> => at(QuoteStates, { id });

/** Assigns a quote to the order that is placed at its prices, if it is still accepted. A quote serves one order. */
export const convertQuote = (quote: Offer, orderId: string, now: Date): Write =>
  assignQuote(orderId, quote, now, isStillAccepted(quote));

/**
 * Assigns a quote to its order again when a late payment confirms the expired order. The write is refused if the quote
 * was sent again since, was declined, or belongs to another order. The version always rises, so that a concurrent
 * acceptance conflicts.
 */
export const reclaimQuote = (quote: Offer, orderId: string, now: Date): Write =>
  assignQuote(orderId, quote, now, either(is("order_id", orderId), isStillAccepted(quote)));

const isStillAccepted = ({ revision }: Offer): Condition =>
  every(is("status", "accepted"), is("revision", revision));

function assignQuote(orderId: string, { id }: Offer, now: Date, condition: Condition): Write {
  const status = "converted";
  return update(
    Quotes,
    { id },
    {
      set: {
        status,
        gsi2pk: quotesIn(status),
        order_id: orderId,
        updated_at: now.toISOString(),
      },
      add: { version: 1 },
    },
    condition,
  );
}
