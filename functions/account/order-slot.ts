import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { chooseOwnSlot, ownSlotChoice } from "#shared/application/order/change-own-order.ts";
import { emptyCalendar, readCalendar } from "#shared/application/delivery/free-slots.ts";
import { OrderProof, provenOrder } from "#shared/auth/order-proof.ts";
import { ChosenSlot } from "#shared/domain/delivery/delivery-slot.ts";
import { SlotCalendar } from "#shared/domain/delivery/slot-calendar.ts";
import { Order } from "#shared/domain/order/view/buyer-order.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { route } from "#shared/http/route.ts";
import { OwnOrderParams, openOwnOrder, orderAnswer, orderBuyer } from "./own-order.ts";

type OrderSlotShop = Shop<"table" | "linkKeys" | "settings", CommerceGroup>;

export const listOrderSlots = route({
  method: "GET",
  path: "/orders/{id}/slots",
  summary: "List the delivery days and windows that an order can have",
  description:
    "`zone` is null unless the order's `allowed_actions` contain `choose_slot` or `change_slot`.",
  access: orderBuyer,
  limit: "slots",
  request: { params: OwnOrderParams, headers: OrderProof },
  response: { status: 200, data: SlotCalendar },
  first: (call, shop: OrderSlotShop) => openOwnOrder(call, shop),
  async handle(call, shop) {
    const [record, settings] = call.first;
    const choice = ownSlotChoice(await provenOrder(record, call, shop), settings, call.now);
    return { data: choice ? await readCalendar(shop.table, choice) : emptyCalendar };
  },
});

export const chooseOrderSlot = route({
  method: "PUT",
  path: "/orders/{id}/slot",
  summary: "Choose or change an order's delivery slot",
  description:
    "Allowed while `allowed_actions` contain `choose_slot` or `change_slot`. Returns 409 " +
    "`slot_taken` with three free windows in `details.alternatives`. Choosing the booked slot " +
    "again changes nothing.",
  access: orderBuyer,
  limit: "order_change",
  request: {
    params: OwnOrderParams,
    headers: OrderProof.extend({ "if-match": IfMatch }),
    body: ChosenSlot.meta({ example: { date: "2026-11-28", window: "morning" } }),
  },
  response: { status: 200, data: Order },
  errors: ["order_locked", "slot_taken", "version_mismatch"],
  first: (call, shop: OrderSlotShop) => openOwnOrder(call, shop),
  async handle(call, shop) {
    const [found, settings] = call.first;
    const record = await chooseOwnSlot(call, { found, settings }, shop);
    return orderAnswer(record, { settings, now: call.now });
  },
});

export const routes = [listOrderSlots, chooseOrderSlot];
