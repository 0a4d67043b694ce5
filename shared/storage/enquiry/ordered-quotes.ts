import type { StoredQuote } from "../../domain/enquiry/quote.ts";
import { Orders } from "../order/orders.ts";
import type { Table } from "../table.ts";

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

/** The quote in its current state. If its order was cancelled or expired, the quote counts as accepted again. */
export async function currentQuote(
  table: Table,
  quote: StoredQuote | undefined,
): Promise<StoredQuote | undefined> {
  if (quote?.status !== "converted" || (await isOrdered(table, quote))) return quote;
  return { ...quote, status: "accepted", order_id: null };
}
