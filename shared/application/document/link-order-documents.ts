import type { Shop } from "#shared/application/shop.ts";
import { linkToken } from "../../auth/link-tokens.ts";
import { dayIn } from "../../domain/base/day.ts";
import {
  type Document,
  type StoredDocument,
  documentLinkSeconds,
} from "../../domain/document/document.ts";
import type { StoredOrder } from "../../domain/order/order.ts";
import { apiPrefix } from "../../domain/request/api-path.ts";
import { isOfErased } from "./due-documents.ts";

type LinkOrderDocumentsShop = Shop<
  "apiBaseUrl" | "documentLinks" | "linkKeys" | "settings",
  "store"
>;

/** A request of an order's documents. */
interface Listing {
  readonly now: Date;
  /** The host that the request came to. */
  readonly host: string;
}

type Documented = Pick<
  StoredOrder,
  "id" | "number" | "placed_at" | "customer" | "access_token_hash"
>;

/**
 * The documents of an order with links: the confirmation, which is drawn when its link is opened first, and then those
 * that were made, oldest first.
 */
export async function linkOrderDocuments(
  order: Documented,
  documents: readonly StoredDocument[],
  shop: LinkOrderDocumentsShop,
  call: Listing,
): Promise<Document[]> {
  const made = documents.filter(({ type }) => type !== "order_confirmation");
  const [confirmation, linked] = await Promise.all([
    isOfErased(order) ? undefined : confirmationOf(order, shop, call),
    shop.documentLinks(made, call.now),
  ]);
  return [...(confirmation ? [confirmation] : []), ...linked];
}

async function confirmationOf(
  { id, number, placed_at }: Documented,
  { linkKeys, settings, apiBaseUrl }: LinkOrderDocumentsShop,
  { now, host }: Listing,
): Promise<Document> {
  const expiresAt = new Date(now.getTime() + documentLinkSeconds * 1000);
  const [token, { store }] = await Promise.all([
    linkToken({ purpose: "confirmation", subject: id, expiresAt }, linkKeys),
    settings.current(),
  ]);
  return {
    type: "order_confirmation",
    number,
    issued_on: dayIn(store.timezone, new Date(placed_at)),
    url: `${apiBaseUrl ?? `https://${host}`}${apiPrefix}/documents/${token}`,
  };
}
