import type { StoredQuote } from "../../domain/enquiry/quote.ts";
import { projection } from "../entity.ts";
import { Orders } from "../order/orders.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";

type Ordered = Pick<StoredQuote, "status" | "order_id">;

const OrderStatuses = projection(Orders, ["id", "status"]);
const endedOrders: ReadonlySet<string> = new Set(["cancelled", "expired"]);

/** The quotes in their current states. One whose order was cancelled or expired counts as accepted again. */
export async function currentQuotes<Quote extends Ordered>(
  { getMany }: Pick<Table, "getMany">,
  quotes: readonly Quote[],
): Promise<Quote[]> {
  const orderOf = ({ status, order_id }: Ordered) => (status === "converted" ? order_id : null);
  const ids = new Set(quotes.flatMap((quote) => orderOf(quote) ?? []));
  const { orders } = await getMany({ orders: [...ids].map((id) => at(OrderStatuses, { id })) });
  const standing = new Set(
    orders.flatMap((order) => (order && !endedOrders.has(order.status) ? order.id : [])),
  );
  return quotes.map((quote) => {
    const order = orderOf(quote);
    if (order === null || standing.has(order)) return quote;
    return { ...quote, status: "accepted", order_id: null };
  });
}

/** The same of one quote. */
export async function currentQuote<Quote extends Ordered>(
  table: Pick<Table, "getMany">,
  quote: Quote | undefined,
): Promise<Quote | undefined> {
  return quote && (await currentQuotes(table, [quote]))[0];
}
