import type { QuoteStanding } from "../../domain/cart/cart-lines.ts";
import type { StoredOrder } from "../../domain/order/order.ts";
import type { StoredQuote } from "../../domain/enquiry/quote.ts";
import { type Condition, either, every, is } from "../conditions.ts";
import { projection } from "../entity.ts";
import { Orders } from "../order/orders.ts";
import { Quotes, quotesIn } from "./quotes.ts";
import { type Read, at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, update } from "../writes.ts";

/** What carts and checkout read of a quote. */
const QuoteStandings = projection(Quotes, ["id", "status", "revision"]);

/** What a quote offered when it was sent for that time. */
type Offer = StoredOrder["quotes"][number];

/** Asks whether a quote stands. */
export const quoteStanding = (id: string): Read<QuoteStanding> => at(QuoteStandings, { id });

/** Whether an order was placed by a quote and has not come to nothing. */
export async function isOrdered(
  table: Table,
  { status, order_id }: { status: string; order_id: string | null },
): Promise<boolean> {
  if (status !== "converted" || order_id === null) return status === "converted";
  const order = await table.get(Orders, { id: order_id });
  return order !== undefined && !endedOrders.has(order.status);
}

const endedOrders: ReadonlySet<string> = new Set(["cancelled", "expired"]);

/** A quote whose order came to nothing stands as it did before that order, for as long as its offer holds. */
export async function standingQuote(
  table: Table,
  quote: StoredQuote | undefined,
): Promise<StoredQuote | undefined> {
  if (quote?.status !== "converted" || (await isOrdered(table, quote))) return quote;
  return { ...quote, status: "accepted", order_id: null };
}

/** Makes a quote the order's that is placed at its prices, if it still stands as it was accepted: it serves once. */
export const convertQuote = (quote: Offer, orderId: string, now: Date): Write =>
  giveTo(orderId, quote, now, standsAs(quote));

/**
 * Makes a quote the order's again that had come to nothing: refused when it was offered anew since, declined, or
 * serves another order. The version rises also where nothing differs, against whoever accepts it at this moment.
 */
export const reclaimQuote = (quote: Offer, orderId: string, now: Date): Write =>
  giveTo(orderId, quote, now, either(is("order_id", orderId), standsAs(quote)));

const standsAs = ({ revision }: Offer): Condition =>
  every(is("status", "accepted"), is("revision", revision));

function giveTo(orderId: string, { id }: Offer, now: Date, condition: Condition): Write {
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
