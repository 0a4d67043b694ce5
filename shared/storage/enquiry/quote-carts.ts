import * as z from "zod";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type Write, put } from "../writes.ts";

/** The guest cart that belongs to a quote's link. */
export const QuoteCarts = entity({
  name: "quote_cart",
  notExported: "derived",
  schema: z.object({
    /** Hash of the link's token: each link of a quote has its own cart. */
    link_hash: z.string(),
    /** Hash of the cart's current token. */
    cart_hash: z.string(),
  }),
  key: ({ id }: { id: string }) => ({ pk: `QUOTE#${id}`, sk: "CART" }),
});
export type QuoteCart = z.output<typeof QuoteCarts.schema>;

/** Stores the cart of the link. The write is refused if the row has changed since `before` was read. */
export const putQuoteCart = (id: string, cart: QuoteCart, before: QuoteCart | undefined): Write =>
  put(QuoteCarts, { id, ...cart }, before ? is("cart_hash", before.cart_hash) : isNew);
