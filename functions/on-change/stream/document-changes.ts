import type { StoredOrder } from "#shared/domain/order/order.ts";
import { projection } from "#shared/storage/entity.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import { OrderTransactions, Orders } from "#shared/storage/order/orders.ts";
import { type ItemChange, imageOf } from "#shared/storage/stream.ts";
import { distinct } from "../distinct.ts";
import type { DocumentChange, DocumentChanges } from "../document-change.ts";

const DocumentedOrders = projection(Orders, [
  "id",
  "customer",
  "access_token_hash",
  "invoice",
  "returned_credit",
]);
/** Rows that have, or will have, a credit note or voucher. */
const NotedRows = projection(OrderTransactions, ["credit", "advance"]);
const SentQuotes = projection(Quotes, ["id", "revision", "erased_at"]);

type Documented = Pick<
  StoredOrder,
  "customer" | "access_token_hash" | "invoice" | "returned_credit"
>;

/** What decides which documents an order has. */
const documentsIn = (order: Documented | undefined) =>
  order &&
  JSON.stringify([
    order.invoice?.number ?? null,
    order.returned_credit !== undefined,
    order.customer.id === null && order.access_token_hash === null,
  ]);

/** Returns the order or quote of a changed item that may need further documents; otherwise undefined. */
export function documentChange({ pk, before, after }: ItemChange): DocumentChange | undefined {
  const order = imageOf(DocumentedOrders, after);
  if (order) {
    const isSame = documentsIn(imageOf(DocumentedOrders, before)) === documentsIn(order);
    return isSame ? undefined : { kind: "order", id: order.id };
  }
  const row = imageOf(NotedRows, after);
  if (row) {
    const was = imageOf(NotedRows, before);
    const isSame =
      (row.credit === undefined) === (was?.credit === undefined) && row.advance === was?.advance;
    const [, id = ""] = pk.split("#");
    return isSame ? undefined : { kind: "order", id };
  }
  const quote = imageOf(SentQuotes, after);
  if (!quote || quote.revision === 0) return undefined;
  const was = imageOf(SentQuotes, before);
  const isSame = was?.revision === quote.revision && was.erased_at === quote.erased_at;
  return isSame ? undefined : { kind: "quote", id: quote.id };
}

/** The orders and quotes of a batch, in one message. */
export function documentMessages(changes: readonly DocumentChange[]): DocumentChanges[] {
  return changes.length > 0 ? [{ changes: distinct(changes) }] : [];
}
