import type { Shop } from "#shared/application/shop.ts";
import { isDeepStrictEqual } from "node:util";
import { spoken } from "#shared/domain/base/names.ts";
import type { EditCall } from "#shared/application/audit-context.ts";
import { bookPlace } from "#shared/application/delivery/free-slots.ts";
import type { OrderCaller } from "#shared/auth/order-proof.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import {
  type ChosenSlot,
  type DeliverySlot,
  isSamePlace,
} from "#shared/domain/delivery/delivery-slot.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { runZoneOfOrder } from "#shared/domain/order/edit/slot-choice.ts";
import { changeOf } from "#shared/domain/order/order-change.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import {
  type OrderReturn,
  type ReturnItem,
  returnMachine,
} from "#shared/domain/order/returns/order-return.ts";
import type { ReturnPatch } from "#shared/domain/order/returns/return-input.ts";
import { returnStep } from "#shared/domain/order/returns/return-steps.ts";
import { mayCancelReturn } from "#shared/domain/order/returns/return-view.ts";
import { planReturnStep } from "#shared/domain/order/returns/settle-return.ts";
import {
  type ExpectedVersion,
  AppError,
  invalidField,
  invalidFields,
  orNotFound,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import type { CommerceGroup, Settings } from "#shared/domain/settings/settings.ts";
import { returnVisitWrites } from "#shared/storage/delivery/delivery-places.ts";
import { openOrders, OrdersOfReturn } from "#shared/storage/order/orders.ts";
import type { Table } from "#shared/storage/table.ts";
import type { StaffCaller } from "../staff/privilege-escalation.ts";
import { type AddedLines, addedLines, outOfStock, shortOf } from "./added-lines.ts";
import type { FoundReturn } from "./create-return.ts";
import { stepOwnOrder } from "./change-own-order.ts";
import { stepByCall } from "./step-by-call.ts";
import type { OrderStep } from "./step-order.ts";

/** Reads a return with its order. */
export async function readReturn(
  { table }: Shop<"table">,
  id: string,
): Promise<FoundReturn | undefined> {
  const place = await table.get(OrdersOfReturn, { id });
  const record = place && (await openOrders(table).find(place.order_id));
  const found = record?.rows.returns.find((each) => each.id === id);
  return record && found && { record, found };
}

/**
 * Moves a return on, with everything that the step does to its order, in one transaction. Its gateway refunds are sent
 * before it returns, unless the gateway is unreachable. A repeat changes nothing, but finishes refunds that are open.
 *
 * @param first the return, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`, `validation_failed`, `forbidden`,
 *   `insufficient_stock`, `slot_taken`, `payment_refused`, `in_progress` while another request makes the refunds
 */
export async function stepReturn(
  call: EditCall<ReturnPatch> & StaffCaller,
  first: FoundReturn | undefined,
  shop: Shop<"table" | "gateways" | "log" | "settings", CommerceGroup>,
): Promise<FoundReturn> {
  const { now, body } = call;
  const { record: read, found: requested } = orNotFound(first);
  const { id: returnId } = requested;
  const settings = await shop.settings.current();
  const id = newId("chg", now);
  const step: OrderStep = async (record, context) => {
    const { found } = foundIn(record, returnId);
    if (isDone(found, body)) return undefined;
    requireVersion(call.headers["if-match"], record.order.version);
    const { stockAvailable, short = new Map<string, number>() } = context;
    const added = await addedBy(call, record, { id, tax: settings.tax, table: shop.table });
    if (!stockAvailable) {
      throw (
        outOfStock(added, short) ?? invalidField("items", "The inventory cannot take these units.")
      );
    }
    const place = { settings, table: shop.table, now };
    const planned = await plannedVisit({ record, found }, body, place);
    const outcome = planReturnStep(record, found, body, {
      now,
      id,
      added: added.items,
      visit: planned.slot,
      settings,
      newTransactionId: context.newTransactionId,
    });
    switch (outcome.kind) {
      case "refused":
        throw cannotMove(found, body.status ?? found.status);
      case "invalid":
        throw invalidFields(outcome.problems);
      case "planned": {
        const { change } = outcome;
        const refused = outOfStock(added, shortOf(change, added));
        if (refused) throw refused;
        const visits = change.returns.flatMap((after) => returnVisitWrites(found, after));
        return { ...change, writes: [...planned.writes, ...visits] };
      }
    }
  };
  const ofOrder = { ...call, params: { id: read.order.id }, first: read };
  const after = await stepByCall(ofOrder, shop, step, {
    audit: () => ({
      action: `return.${body.status ?? "send_back"}`,
      after: { id: returnId, ...body },
    }),
    refunds: { shop, of: returnId, selects: ({ return_id }, of) => return_id === of },
  });
  return foundIn(after, returnId);
}

/**
 * Whether the return is where the patch would bring it. A visit may be moved to another time; another finding of the
 * inspection is refused, because its units have moved.
 */
const isDone = (
  { status, items, pickup, send_back, sent_back_at }: OrderReturn,
  body: ReturnPatch,
): boolean =>
  status === (body.status ?? status) &&
  isFinding(items, body.items) &&
  isPlanned(pickup, body.pickup) &&
  isPlanned(send_back, body.send_back) &&
  !(body.sent_back && sent_back_at === null);

const isFinding = (items: readonly ReturnItem[], inspected: ReturnPatch["items"]): boolean =>
  !inspected ||
  inspected.every(({ id, ...inspection }) =>
    items.some((item) => item.id === id && isDeepStrictEqual(item.inspection, inspection)),
  );

const isPlanned = (slot: DeliverySlot | null, wanted: ChosenSlot | undefined): boolean =>
  !wanted || (slot !== null && isSamePlace(slot, { ...wanted, zone: slot.zone }));

const foundIn = (record: OrderRecord, id: string): FoundReturn => ({
  record,
  found: orNotFound(record.rows.returns.find((each) => each.id === id)),
});

function cannotMove({ status }: OrderReturn, to: string): AppError {
  return new AppError("invalid_transition", {
    message: `A return that is ${spoken(status)} cannot become ${spoken(to)}.`,
    details: { from: status, to, allowed: [...returnMachine[status]] },
  });
}

/** The lines that the buyer gets: what an exchange adds at its price, and parts free of charge. */
function addedBy(
  {
    body,
    now,
    permissions,
    maxDiscountBps,
  }: Pick<EditCall<ReturnPatch>, "body" | "now"> & StaffCaller,
  { order }: OrderRecord,
  { id, tax, table }: Pick<Settings, "tax"> & { readonly id: string; readonly table: Table },
): Promise<AddedLines> {
  const parts = (body.parts ?? []).map(({ title, quantity }) => ({
    custom: { title, price: 0, tax_class: order.items[0]!.tax_class, made_to_order: false },
    quantity,
  }));
  // Parts of a repair are free by the shop's own terms, so they need no permission to discount.
  const caller = body.parts
    ? { permissions: ["orders.discount"], maxDiscountBps }
    : { permissions, maxDiscountBps };
  return addedLines(table, body.add ?? parts, { order, tax, id, now, ...caller });
}

/** Books the place of a pickup, or of the way back, in the runs of the order's zone. */
async function plannedVisit(
  { record: { order }, found }: FoundReturn,
  { pickup, send_back }: ReturnPatch,
  {
    settings,
    table,
    now,
  }: { readonly settings: Settings; readonly table: Table; readonly now: Date },
) {
  const [wanted, slot] = pickup ? [pickup, found.pickup] : [send_back, found.send_back];
  if (!wanted || (slot && isPlanned(slot, wanted))) return { slot, writes: [] };
  const zone = runZoneOfOrder(order, settings);
  if (pickup && !(zone && settings.returns.pickup)) {
    throw invalidField("pickup", "Returns of this order are not collected.");
  }
  if (!zone) throw invalidField("send_back", "No van of the shop goes to the order's address.");
  const earliest = dayIn(settings.store.timezone, now);
  const path = pickup ? "pickup" : "send_back";
  return bookPlace(table, wanted, { zone, earliest, settings, path, now });
}

interface OwnReturnCall extends OrderCaller {
  readonly params: { readonly return: string };
  readonly headers: OrderCaller["headers"] & { readonly "if-match"?: ExpectedVersion };
}

/**
 * Cancels a return for the buyer. Cancelling a cancelled return changes nothing.
 *
 * @param first the order, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`
 */
export async function cancelOwnReturn(
  call: OwnReturnCall,
  first: OrderRecord | undefined,
  shop: Shop<"table" | "linkKeys">,
): Promise<FoundReturn> {
  const { params, headers, now } = call;
  const after = await stepOwnOrder(call, first, shop, (record) => {
    const { found } = foundIn(record, params.return);
    if (found.status === "cancelled") return undefined;
    requireVersion(headers["if-match"], record.order.version);
    if (!mayCancelReturn(found)) throw cannotMove(found, "cancelled");
    const at = now.toISOString();
    const cancelled: OrderReturn = { ...found, status: "cancelled", updated_at: at, closed_at: at };
    const change = changeOf(record, returnStep(cancelled, ["cancelled"]), now);
    return { ...change, writes: returnVisitWrites(found, cancelled) };
  });
  return foundIn(after, params.return);
}
