import * as z from "zod";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type Write, put } from "../writes.ts";

/** The cart that a guest has by a quote's link. */
export const QuoteCarts = entity({
  name: "quote_cart",
  schema: z.object({
    /** Hash of the link's token: another link of the quote leads to another cart. */
    link_hash: z.string(),
    /** Hash of the token that names the cart now. */
    cart_hash: z.string(),
  }),
  key: ({ id }: { id: string }) => ({ pk: `QUOTE#${id}`, sk: "CART" }),
});
export type QuoteCart = z.output<typeof QuoteCarts.schema>;

/** Stores which cart the link leads to. Refused when it was changed since `before` was read. */
export const putQuoteCart = (id: string, cart: QuoteCart, before: QuoteCart | undefined): Write =>
  put(QuoteCarts, { id, ...cart }, before ? is("cart_hash", before.cart_hash) : isNew);
