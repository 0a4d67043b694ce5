import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  WishlistInput,
  WishlistItem,
  maxWishes,
  wishPosition,
  wishlistItem,
} from "#shared/domain/cart/wishlist.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
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

export const getWishlist = route({
  method: "GET",
  path: "/wishlist",
  summary: "List the wishlist at current prices, newest first",
  description: "Price and availability may have changed since an item was added.",
  access: customer,
  request: { query: CursorPage },
  response: { status: 200, data: z.array(WishlistItem), meta: CursorMeta },
  first: ({ actor }, { table }: Shop<"table">) => listWishes(table, customerId(actor)),
  async handle({ actor, query: { per_page, cursor }, first: entries }, { table }) {
    const list = { attribute: "pk", value: partitionOf("customer", customerId(actor)) };
    const after = keyOfCursor(cursor, list)?.["sk"];
    const left = entries
      .map((entry) => ({ entry, position: wishPosition(entry) }))
      .filter(({ position }) => after === undefined || position < after)
      .toSorted((one, other) => (one.position < other.position ? 1 : -1));
    const page = left.slice(0, per_page);
    const last = left.length > per_page ? page.at(-1) : undefined;
    const shown = page.map(({ entry }) => entry);
    const now = await pricesNow(table, shown);
    return {
      data: shown.map((entry) => wishlistItem(entry, ...now(entry))),
      meta: { per_page, next_cursor: cursorOf(last && { sk: last.position }, list) },
    };
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
  description: "Accepts an id or a slug. Returns 204 even if the item is not listed.",
  access: customer,
  request: { params: z.object({ product: z.string().max(100) }) },
  response: { status: 204 },
  async handle({ actor, params: { product } }, { table }: Shop<"table">) {
    await removeFromList(table, customerId(actor), product);
  },
});

export const routes = [getWishlist, addToWishlist, removeFromWishlist];
