import * as z from "zod";
import {
  type WishlistEntry,
  WishlistInput,
  WishlistItem,
  maxWishes,
  wishPosition,
  wishlistItem,
} from "#shared/domain/cart/wishlist.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import { customer, route } from "#shared/http/route.ts";
import { locationHeaders } from "#shared/domain/request/api-path.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { partitionOf } from "#shared/storage/staff/sessions.ts";
import {
  Wishes,
  addWish,
  listWishes,
  removeWish,
  replaceWish,
} from "#shared/storage/cart/wishlist.ts";
import { unlessRefused } from "#shared/storage/writes.ts";
import { customerId } from "./caller.ts";
import type { Deps } from "./deps.ts";
import { isId, pricesNow, unknownProduct, wishOf, wishedId } from "./wished-items.ts";

export const getWishlist = route({
  method: "GET",
  path: "/wishlist",
  summary: "List the wishlist at current prices, newest first",
  description: "Price and availability may have changed since an item was added.",
  access: customer,
  request: { query: CursorPage },
  response: { status: 200, data: z.array(WishlistItem), meta: CursorMeta },
  first: ({ actor }, { table }: Deps) => listWishes(table, customerId(actor)),
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
  first: ({ body }, { table }: Deps) => wishedId(table, body),
  async handle({ actor, body, now, first: product_id }, { table }) {
    if (product_id === undefined) throw unknownProduct();
    const owner = customerId(actor);
    const find = () => table.get(Wishes, { customer: owner, product_id });
    const [{ entry, card }, found] = await Promise.all([
      wishOf(table, product_id, body, now),
      find(),
    ]);
    const answer = (kept: WishlistEntry, price: number | null, status: number) => ({
      data: wishlistItem(kept, card, price),
      status,
      // An entry has no URL of its own, so Location names the list.
      ...(status === 201 && { headers: locationHeaders("/wishlist", false) }),
    });
    return retryOnConflict(found, find, async (kept) => {
      if (kept && (!body.configuration || kept.configuration_id === entry.configuration_id)) {
        return answer(kept, (await pricesNow(table, [kept]))(kept)[1], 200);
      }
      if (kept) {
        await table.write(replaceWish(owner, entry));
        return answer(entry, entry.price_when_added, 200);
      }
      const full = () =>
        invalidField("product", `The wishlist already has ${maxWishes} items. Remove one first.`);
      await table.transact(addWish(owner, entry, full));
      return answer(entry, entry.price_when_added, 201);
    });
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
  async handle({ actor, params: { product } }, { table }: Deps) {
    const owner = customerId(actor);
    const ids = isId(product)
      ? [product]
      : (await listWishes(table, owner))
          .filter(({ slug }) => slug === product)
          .map(({ product_id }) => product_id);
    for (const id of ids) {
      await unlessRefused(table.transact(removeWish(owner, id)));
    }
  },
});

export const routes = [getWishlist, addToWishlist, removeFromWishlist];
