import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { listRoute } from "#functions/list-route.ts";
import { CardKind } from "#shared/domain/catalog/card.ts";
import {
  WishlistInput,
  WishlistItem,
  maxWishes,
  wishPosition,
  wishlistItem,
} from "#shared/domain/cart/wishlist.ts";
import { customer, route } from "#shared/http/route.ts";
import { locationHeaders } from "#shared/domain/request/api-path.ts";
import { partitionOf } from "#shared/storage/staff/sessions.ts";
import { listWishes } from "#shared/storage/cart/wishlist.ts";
import { customerId } from "#shared/domain/request/identity.ts";
import {
  addToList,
  pricesNow,
  removeFromList,
  unknownProduct,
  wishedId,
} from "#shared/application/cart/wish-item.ts";

export const getWishlist = listRoute({
  path: "/wishlist",
  summary: "List the wishlist at current prices, newest first",
  description: "Price and availability may have changed since an item was added.",
  access: customer,
  row: WishlistItem,
  async list({ actor }, { table }: Shop<"table">) {
    const owner = customerId(actor);
    const entries = await listWishes(table, owner);
    const range = { partition: partitionOf("customer", owner) };
    return {
      range,
      async page({ limit, after }) {
        const position = after && String(after["sk"]);
        const left = entries
          .filter((entry) => position === undefined || wishPosition(entry) < position)
          .toSorted((one, other) => (wishPosition(one) < wishPosition(other) ? 1 : -1));
        const records = left.slice(0, limit);
        const last = left.length > limit ? records.at(-1) : undefined;
        return { records, next: last && { sk: wishPosition(last) } };
      },
    };
  },
  async shown(entries, _call, { table }) {
    const now = await pricesNow(table, entries);
    return entries.map((entry) => wishlistItem(entry, ...now(entry)));
  },
});

export const addToWishlist = route({
  method: "POST",
  path: "/wishlist",
  summary: "Add a product or a sofa to the wishlist",
  description:
    "Returns 201 for a new item, 200 if it is already listed. Adding a listed sofa with another " +
    "configuration replaces its configuration and price. Returns 422 if the wishlist has " +
    `${maxWishes} items.`,
  access: customer,
  request: {
    body: WishlistInput.meta({
      example: { product: "saanjh-sofa", configuration: { size: "3-seater" } },
    }),
  },
  response: { status: 201, alsoAnswers: [200], data: WishlistItem },
  first: ({ body }, { table }: Shop<"table">) => wishedId(table, body),
  async handle({ actor, body, now, first: product_id }, { table }) {
    if (product_id === undefined) throw unknownProduct();
    const wish = await addToList(table, { owner: customerId(actor), product_id, body, now });
    const status = wish.isNew ? 201 : 200;
    return {
      data: wishlistItem(wish.entry, wish.card, wish.price),
      status,
      // An entry has no URL of its own, so Location names the list.
      ...(wish.isNew && { headers: locationHeaders("/wishlist", false) }),
    };
  },
});

export const removeFromWishlist = route({
  method: "DELETE",
  path: "/wishlist/{product}",
  summary: "Remove an item from the wishlist",
  description:
    "Accepts an id or a slug, of a product before a sofa unless `kind` says. Returns 204 even if nothing is removed.",
  access: customer,
  request: {
    params: z.object({ product: z.string().max(100) }),
    query: z.strictObject({ kind: CardKind.optional() }),
  },
  response: { status: 204 },
  async handle({ actor, params, query }, { table }: Shop<"table">) {
    await removeFromList(table, customerId(actor), { ...params, ...query });
  },
});

export const routes = [getWishlist, addToWishlist, removeFromWishlist];
