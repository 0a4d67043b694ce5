import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { ShippingMethodCode } from "#shared/domain/settings/zone-settings.ts";
import { QueryItems } from "#shared/domain/cart/cart-input.ts";
import { Cart } from "#shared/domain/cart/cart.ts";
import { cartView } from "#shared/domain/cart/cart-view.ts";
import { SlotCalendar } from "#shared/domain/delivery/slot-calendar.ts";
import { earliestDay, slotZoneFor } from "#shared/domain/delivery/slot-zone.ts";
import { DestinationQuery } from "#shared/domain/delivery/shipping.ts";
import { emptyCalendar, readCalendar } from "#shared/application/delivery/free-slots.ts";
import { optionalCustomer, route } from "#shared/http/route.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { ReadHeaders, WriteHeaders } from "#shared/http/cart-headers.ts";
import { destinationOf, linesToDeliver } from "#shared/application/cart/price-delivery.ts";
import { releaseCartSlot, holdSlot, openSlot } from "#shared/application/cart/hold-slot.ts";
import { openCart } from "#shared/application/cart/read-cart.ts";
import { SlotInput } from "#shared/domain/delivery/slot-hold.ts";

export const listSlots = route({
  method: "GET",
  path: "/shipping/slots",
  summary: "List the delivery days and windows that can be chosen",
  description:
    "Answers for the cart, or for `items`. `zone` is null where no day can be chosen. `earliest_on` is null if an " +
    "item is made to order: its day is chosen when the order is ready. `available` says whether a place is free.",
  access: optionalCustomer,
  limit: "slots",
  request: {
    headers: ReadHeaders,
    query: DestinationQuery.extend({
      shipping_method: ShippingMethodCode,
      items: QueryItems.optional(),
    }),
  },
  response: { status: 200, data: SlotCalendar },
  open: (call, shop: Shop<"table" | "catalogReads" | "settings", CommerceGroup>) =>
    openCart(call, shop),
  async handle(call, shop) {
    const { opened, query, now } = call;
    const { settings } = opened;
    const destination = destinationOf(query, settings);
    const delivery = { destination, method: query.shipping_method, settings, now };
    const zone = slotZoneFor(delivery);
    if (!zone) return { data: emptyCalendar };
    const { lines } = await linesToDeliver(call, query.items, delivery, shop);
    const items = lines.map(({ line }) => line);
    const earliest = earliestDay(items, zone, settings, now);
    const holder = query.items ? undefined : opened.cart?.slot_hold?.holder;
    const choice = { zone, earliest, settings, holder, now };
    return { data: await readCalendar(shop.table, choice) };
  },
});

export const chooseSlot = route({
  method: "PUT",
  path: "/cart/slot",
  summary: "Hold a delivery window for the cart",
  description:
    "Holds a place for 15 minutes; checkout books it. Another choice moves the hold and keeps its end. `{date: null}` " +
    "releases it. After a hold has ended, one more can begin at once, and each later one 15 minutes after the end " +
    "of the one before. Returns 409 `slot_taken` with three free windows in `details.alternatives`.",
  access: optionalCustomer,
  limit: "cart",
  request: {
    headers: WriteHeaders,
    body: SlotInput.meta({
      example: {
        date: "2026-11-28",
        window: "morning",
        postal_code: "560001",
        shipping_method: "room_of_choice",
      },
    }),
  },
  response: { status: 200, data: Cart },
  errors: ["cart_empty", "slot_taken", "version_mismatch"],
  open: (call, shop: Shop<"table" | "catalogReads" | "rates" | "settings", CommerceGroup>) =>
    openSlot(call, shop),
  async handle(call, shop) {
    const { body: wanted } = call;
    const reading = await retryOnConflict(
      call.opened,
      () => openSlot(call, shop),
      (opened) =>
        wanted ? holdSlot(call, wanted, opened, shop) : releaseCartSlot(call, opened, shop),
    );
    const data = cartView(reading);
    return { data, version: data.version };
  },
});

export const routes = [listSlots, chooseSlot];
