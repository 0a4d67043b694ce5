import type { StoredOrder } from "#shared/domain/order/order.ts";
import { projection } from "#shared/storage/entity.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import { NamedOrders } from "#shared/storage/order/order-names.ts";
import { OrderChanges, OrderTransactions, Orders } from "#shared/storage/order/orders.ts";
import { type Image, type ItemChange, imageOf } from "#shared/storage/stream.ts";
import type {
  DocumentChange,
  MarketingChange,
  MetricChange,
  OrderNameChange,
} from "#shared/queues/queue-messages.ts";

const DocumentedOrders = projection(Orders, [
  "id",
  "customer",
  "access_token_hash",
  "invoice",
  "supplements",
]);
/** Rows that have, or will have, a voucher or a credit note. */
const AdvanceRows = projection(OrderTransactions, ["advance", "returned_advance"]);
const CreditRows = projection(OrderChanges, ["credit"]);
const SentQuotes = projection(Quotes, ["id", "link_hash", "revision", "erased_at"]);
const OptIns = projection(Orders, ["id", "marketing_opt_in"]);

type Documented = Pick<StoredOrder, "customer" | "access_token_hash" | "invoice" | "supplements">;

/** What decides which documents an order has. */
const documentsIn = (order: Documented) =>
  JSON.stringify([
    order.invoice?.number ?? null,
    ...Object.values(order.supplements ?? {}).flatMap(({ invoice }) => invoice?.number ?? []),
    order.customer.id === null && order.access_token_hash === null,
  ]);

/** An order as it is placed: without any document that must be made. */
const undocumented = { invoice: null, supplements: undefined };

/** Returns an order that may need further documents; otherwise undefined. */
export function documentsOfOrder({ before, after }: ItemChange): DocumentChange | undefined {
  const order = imageOf(DocumentedOrders, after);
  if (!order) return undefined;
  const was = documentsIn(imageOf(DocumentedOrders, before) ?? { ...order, ...undocumented });
  return was === documentsIn(order) ? undefined : { kind: "order", id: order.id };
}

/** Returns the order of a payment or refund that needs a voucher; otherwise undefined. */
export function voucherOfOrder({ pk, before, after }: ItemChange): DocumentChange | undefined {
  const row = imageOf(AdvanceRows, after);
  const was = imageOf(AdvanceRows, before);
  const isSame = row?.advance === was?.advance && row?.returned_advance === was?.returned_advance;
  if (!row || isSame) return undefined;
  return { kind: "order", id: orderIn(pk) };
}

/** Returns the order of a change that needs a credit note; otherwise undefined. */
export const creditOfOrder = ({ pk, after }: ItemChange): DocumentChange | undefined =>
  imageOf(CreditRows, after)?.credit ? { kind: "order", id: orderIn(pk) } : undefined;

/** Returns the order of a shipment that arrived, or did not arrive after all; otherwise undefined. */
export function arrivalOfOrder({ pk, before, after }: ItemChange): MetricChange | undefined {
  const arrived = (row: Image) => row?.["delivered_at"] ?? null;
  return arrived(before) === arrived(after) ? undefined : { kind: "order", id: orderIn(pk) };
}

const orderIn = (pk: string): string => pk.split("#")[1] ?? "";

/** Returns a quote that was sent or erased; otherwise undefined. */
export function documentsOfQuote({ before, after }: ItemChange): DocumentChange | undefined {
  const quote = imageOf(SentQuotes, after);
  if (!quote || quote.revision === 0) return undefined;
  const was = imageOf(SentQuotes, before);
  // A quote that is sent again unchanged has another link.
  const isSame =
    was?.revision === quote.revision &&
    was.erased_at === quote.erased_at &&
    (quote.link_hash === null || was.link_hash === quote.link_hash);
  return isSame ? undefined : { kind: "quote", id: quote.id };
}

const namesIn = (order: Pick<StoredOrder, "customer" | "addresses"> | undefined) =>
  order && JSON.stringify([order.customer.name, order.addresses.shipping.name]);

/** Returns a new order, or an order whose names have changed; otherwise undefined. */
export function namesOfOrder({ before, after }: ItemChange): OrderNameChange | undefined {
  const order = imageOf(NamedOrders, after);
  if (!order) return undefined;
  const isSame = namesIn(imageOf(NamedOrders, before)) === namesIn(order);
  return isSame ? undefined : { id: order.id };
}

/** Returns a new order whose buyer agreed to marketing; otherwise undefined. */
export function consentOfOrder({ before, after }: ItemChange): MarketingChange | undefined {
  const order = before === undefined ? imageOf(OptIns, after) : undefined;
  return order?.marketing_opt_in ? { kind: "order", id: order.id } : undefined;
}
