import { OrderProof, provenOrder } from "#shared/auth/order-proof.ts";
import { ChosenSlot, isSamePlace } from "#shared/domain/delivery/delivery-slot.ts";
import { SlotCalendar } from "#shared/domain/delivery/slot-calendar.ts";
import { changed } from "#shared/domain/order/order-change.ts";
import { takeSlot } from "#shared/domain/order/order-slot.ts";
import { Order, type OrderRecord } from "#shared/domain/order/order.ts";
import { mayChangeSlot, mayChooseSlot } from "#shared/domain/order/slot-choice.ts";
import { AppError, requireVersion } from "#shared/domain/request/app-error.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { bookPlace, slotChoiceFor } from "#shared/application/delivery/book-slot.ts";
import {
  type SlotChoice,
  emptyCalendar,
  readCalendar,
} from "#shared/application/delivery/free-slots.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { orderBuyer, OrderParams, openOrder, orderAnswer } from "./own-order.ts";
import { route } from "#shared/http/route.ts";
import { changeOrder } from "#shared/storage/order/order-changes.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import type { Deps } from "./deps.ts";

/** What the buyer can choose from now; null if the order's slot cannot be chosen or changed. */
function choiceOf(record: OrderRecord, settings: Settings, now: Date): SlotChoice | null {
  const may = mayChooseSlot(record, settings) || mayChangeSlot(record, settings, now);
  return may ? slotChoiceFor(record.order, settings, now) : null;
}

export const listOrderSlots = route({
  method: "GET",
  path: "/orders/{id}/slots",
  summary: "List the delivery days and windows that an order can have",
  description:
    "`zone` is null unless the order's `allowed_actions` contain `choose_slot` or `change_slot`.",
  access: orderBuyer,
  limit: "slots",
  request: { params: OrderParams, headers: OrderProof },
  response: { status: 200, data: SlotCalendar },
  first: (call, deps: Deps) => openOrder(call, deps),
  async handle(call, { table }) {
    const [record, settings] = call.first;
    const choice = choiceOf(provenOrder(record, call), settings, call.now);
    return { data: choice ? await readCalendar(table, choice) : emptyCalendar };
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
    params: OrderParams,
    headers: OrderProof.extend({ "if-match": IfMatch }),
    body: ChosenSlot.meta({ example: { date: "2026-11-28", window: "morning" } }),
  },
  response: { status: 200, data: Order },
  errors: ["invalid_transition", "slot_taken", "version_mismatch"],
  first: (call, deps: Deps) => openOrder(call, deps),
  async handle(call, { orders, table }) {
    const { params, headers, body, now } = call;
    const [first, settings] = call.first;
    const read = () => orders.find(params.id);
    return retryOnConflict(first, read, async (current) => {
      const record = provenOrder(current, call);
      const { order } = record;
      if (order.slot && isSamePlace(order.slot, { ...body, zone: order.slot.zone })) {
        return orderAnswer(record, { settings, now });
      }
      requireVersion(headers["if-match"], order.version);
      const choice = choiceOf(record, settings, now);
      if (!choice) {
        throw new AppError("invalid_transition", {
          message: "The delivery time of this order cannot be chosen now.",
          details: { from: order.status, to: order.status, allowed: [] },
        });
      }
      const { slot, writes } = await bookPlace(table, body, choice);
      const change = takeSlot(record, slot, now);
      await table.transact([...changeOrder(order, change, now).writes, ...writes]);
      return orderAnswer(changed(record, change), { settings, now });
    });
  },
});

export const routes = [listOrderSlots, chooseOrderSlot];
