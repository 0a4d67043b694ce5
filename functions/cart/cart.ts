import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import {
  changeCartItems,
  removeCartLine,
  replaceCartContent,
} from "#shared/application/cart/change-cart.ts";
import { Cart } from "#shared/domain/cart/cart.ts";
import { CartInput, CartItemsInput } from "#shared/domain/cart/cart-input.ts";
import { cartView } from "#shared/domain/cart/cart-view.ts";
import { agreedTerms } from "#shared/domain/cart/quoted-line.ts";
import * as z from "zod";
import { DestinationQuery } from "#shared/domain/delivery/shipping.ts";
import { ShippingMethodCode } from "#shared/domain/settings/zone-settings.ts";
import { locationHeaders } from "#shared/domain/request/api-path.ts";
import { type Answer, optionalCustomer, route } from "#shared/http/route.ts";
import { readCart, readFacts, buyerOf, openCart } from "#shared/application/cart/read-cart.ts";
import { ReadHeaders, WriteHeaders } from "#shared/http/cart-headers.ts";
import { chosenDestination } from "#shared/application/cart/price-delivery.ts";
import { openToChange } from "#shared/application/cart/open-to-change.ts";
import type { SavedCart } from "#shared/application/cart/save-cart.ts";

type CartShop = Shop<
  "table" | "catalogReads" | "lastLines" | "randomBytes" | "rates" | "settings",
  CommerceGroup
>;

const CartQuery = DestinationQuery.extend({
  shipping_method: ShippingMethodCode.optional().meta({
    description: "Default: the method of a quote in the cart",
  }),
});

export const getCart = route({
  method: "GET",
  path: "/cart",
  summary: "Get the cart at current prices",
  description:
    "With `postal_code` (where the country has none, `country`) and `shipping_method` the totals " +
    "are exactly what checkout charges; without them `shipping` is null and the total is provisional. A caller without a cart " +
    "gets an empty one, which is not stored.",
  access: optionalCustomer,
  request: { headers: ReadHeaders, query: CartQuery },
  // A cart that is not stored has no version.
  response: { status: 200, data: Cart, headers: ["ETag"] },
  open: (call, shop: Shop<"table" | "catalogReads" | "lastLines" | "settings", CommerceGroup>) =>
    openCart(call, shop),
  async handle({ query, opened, actor, now }, { catalogReads, lastLines }) {
    const { claim, cart, settings } = opened;
    const { lines = [], coupon_code = null } = cart ?? {};
    if (claim) lastLines.keep(claim, lines);
    const facts = await readFacts(catalogReads.current, lines, coupon_code, buyerOf(actor));
    const destination = chosenDestination(query, settings);
    const method = query.shipping_method ?? agreedTerms(lines, facts.quotes).shipping_method;
    const reading = readCart(cart, facts, { settings, destination, method, now });
    return { data: cartView(reading), ...(cart && { version: cart.version }) };
  },
});

export const replaceCart = route({
  method: "POST",
  path: "/cart",
  summary: "Create or replace the cart",
  description:
    "Returns 201 for a new cart, 200 for an existing one. A guest's new cart comes with its " +
    "token, in the body and in the header `X-Cart-Token`. A line is `{sku, quantity}`, or " +
    "`{sofa, configuration, quantity}` with the sofa's id or slug.",
  access: optionalCustomer,
  limit: "cart",
  request: {
    headers: WriteHeaders,
    body: CartInput.meta({
      example: {
        items: [
          { sku: "ACH-KAVERI-LOUNGE-OAT", quantity: 2 },
          { sofa: "saanjh-sofa", configuration: { size: "3-seater" }, quantity: 1 },
        ],
        coupon: "WELCOME10",
      },
    }),
  },
  response: { status: 201, alsoAnswers: [200], data: Cart, headers: ["X-Cart-Token"] },
  errors: ["version_mismatch"],
  parsesEarly: true,
  first: (call, shop: CartShop) => openToChange(call, call.body.items, shop),
  async handle(call, shop) {
    const saved = await replaceCartContent(call, call.first, shop);
    return answerOf(saved, saved.isNew ? 201 : 200);
  },
});

export const updateCartItems = route({
  method: "PATCH",
  path: "/cart/items",
  summary: "Update lines of the cart",
  description:
    "Applies all changes or none. An item with an `id` changes that line, and quantity 0 " +
    "removes it; an item without an `id` adds a line. Equal lines are combined. Creates the " +
    "cart if there is none. Removing a line of a quote removes all of the quote's lines; " +
    "accepting the quote again restores them.",
  access: optionalCustomer,
  limit: "cart",
  request: {
    headers: WriteHeaders,
    body: CartItemsInput.meta({
      example: {
        items: [
          { id: "line_01JD00000000000000000000A1", quantity: 3 },
          { sku: "STB-AANGAN-TERRACOTTA-IVORY", quantity: 1 },
        ],
      },
    }),
  },
  response: { status: 200, data: Cart, headers: ["X-Cart-Token"] },
  errors: ["version_mismatch"],
  parsesEarly: true,
  first: (call, shop: CartShop) => openToChange(call, call.body.items, shop),
  handle: async (call, shop) => answerOf(await changeCartItems(call, call.first, shop), 200),
});

export const removeCartItem = route({
  method: "DELETE",
  path: "/cart/items/{id}",
  summary: "Remove a line",
  description: "Returns the cart. Removing a line of a quote removes all of the quote's lines.",
  access: optionalCustomer,
  limit: "cart",
  request: { headers: WriteHeaders, params: z.object({ id: z.string().max(60) }) },
  response: { status: 200, data: Cart },
  errors: ["version_mismatch"],
  open: (call, shop: CartShop) => openToChange(call, [], shop),
  handle: async (call, shop) => answerOf(await removeCartLine(call, call.opened, shop), 200),
});

function answerOf(
  { reading, issuedToken }: SavedCart,
  status: number,
): Answer<z.input<typeof Cart>> {
  const view = cartView(reading);
  const headers = status === 201 ? locationHeaders("/cart", false) : {};
  const answer = { data: view, status, version: view.version, headers };
  if (issuedToken === null) return answer;
  return {
    ...answer,
    data: { ...view, token: issuedToken },
    headers: { ...headers, "X-Cart-Token": issuedToken },
  };
}

export const routes = [getCart, replaceCart, updateCartItems, removeCartItem];
