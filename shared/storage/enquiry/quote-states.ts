import type { QuoteState } from "../../domain/cart/cart-lines.ts";
import type { StoredOrder } from "../../domain/order/order.ts";
import type { StoredQuote } from "../../domain/enquiry/quote.ts";
import { type Condition, either, every, is } from "../conditions.ts";
import { projection } from "../entity.ts";
import { Orders } from "../order/orders.ts";
import { Quotes, quotesIn } from "./quotes.ts";
import { type Read, at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, update } from "../writes.ts";

/** The members that carts and checkout read of a quote. */
const QuoteStates = projection(Quotes, ["id", "status", "revision"]);

/** The offer of a quote, as it was when sent. */
type Offer = StoredOrder["quotes"][number];

/** Reads the state of a quote. */
export const readQuoteState = (id: string): Read<QuoteState> => at(QuoteStates, { id });

/** Whether an order that was placed with a quote is neither cancelled nor expired. */
export async function isOrdered(
  table: Table,
  { status, order_id }: { status: string; order_id: string | null },
): Promise<boolean> {
  if (status !== "converted" || order_id === null) return status === "converted";
  const order = await table.get(Orders, { id: order_id });
  return order !== undefined && !endedOrders.has(order.status);
}

const endedOrders: ReadonlySet<string> = new Set(["cancelled", "expired"]);

/** The state of a quote. If its order was cancelled or expired, the quote is accepted again. */
export async function currentQuote(
  table: Table,
  quote: StoredQuote | undefined,
): Promise<StoredQuote | undefined> {
  if (quote?.status !== "converted" || (await isOrdered(table, quote))) return quote;
  return { ...quote, status: "accepted", order_id: null };
}

/** Assigns a quote to the order that is placed at its prices, if it is still accepted. A quote serves one order. */
export const convertQuote = (quote: Offer, orderId: string, now: Date): Write =>
  assignQuote(orderId, quote, now, isStillAccepted(quote));

/**
 * Assigns a quote to its order again when the order is revived. Refused if the quote was sent again since, was
 * declined, or belongs to another order. The version always rises, so that a concurrent acceptance conflicts.
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
