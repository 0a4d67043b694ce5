import * as z from "zod";
import { newId } from "#shared/domain/base/ids.ts";
import { allowedTransitions, orderMachine } from "#shared/domain/order/order-states.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { prepareShipment } from "#shared/domain/order/ship-order.ts";
import { ShipmentInput, ShipmentPatch } from "#shared/domain/order/shipment-input.ts";
import {
  AdminOrder,
  AdminShipment,
  adminOrder,
  adminShipment,
} from "#shared/domain/order/admin-order.ts";
import {
  AppError,
  invalidFields,
  orNotFound,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { type Answer, type Call, route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import type { OrderStep } from "#shared/application/payment/step-order.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import type { Deps } from "./deps.ts";
import { patchShipment, shipmentIn } from "./move-shipment.ts";
import { bookOnce } from "./step-once.ts";

const ShipmentAnswer = z.object({ order: AdminOrder, shipment: AdminShipment });

const answerOf = (
  record: OrderRecord,
  id: string,
  { permissions }: Pick<Call, "permissions">,
): Answer<z.input<typeof ShipmentAnswer>> & { version: number } => ({
  data: {
    order: adminOrder(record, permissions),
    shipment: adminShipment(record, shipmentIn(record, id)),
  },
  version: record.order.version,
});

export const addShipment = route({
  method: "POST",
  path: "/admin/orders/{id}/shipments",
  summary: "Create a shipment",
  description:
    "Without `items`, the shipment contains all units that are in no shipment yet. Allowed " +
    "once the order is confirmed.",
  access: staff("orders.update"),
  idempotent: true,
  request: {
    params: byId,
    body: ShipmentInput.meta({
      example: { carrier: "Delhivery", tracking_number: "1490823764521" },
    }),
    headers: ifMatch,
  },
  response: { status: 201, data: ShipmentAnswer, headers: ["ETag"] },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { orders }: Deps) => orders.find(params.id),
  async handle(call, deps) {
    const id = newId("shp", call.now);
    const step = preparing(call.body, id);
    return bookOnce(call, deps, { what: "shipment", id, step }, (record) =>
      answerOf(record, id, call),
    );
  },
});

const preparing =
  (body: ShipmentInput, id: string): OrderStep =>
  (record, { now }) => {
    const outcome = prepareShipment(record, body, { id, now });
    switch (outcome.kind) {
      case "invalid":
        throw invalidFields(outcome.problems);
      case "refused": {
        const { status } = record.order;
        throw new AppError("invalid_transition", {
          message: "The items of this order cannot be shipped in its current state.",
          details: {
            from: status,
            to: "shipped",
            allowed: allowedTransitions(orderMachine, status),
          },
        });
      }
      case "changed":
        return outcome.change;
      // Preparing a shipment dispatches nothing.
      case "balance_due":
      case "already":
        return undefined;
    }
  };

export const changeAnyShipment = route({
  method: "PATCH",
  path: "/admin/orders/{id}/shipments/{shipment}",
  summary: "Update a shipment",
  description:
    "`out_for_delivery` takes the units from the stock and makes the order `shipped`. The invoice " +
    "is issued when the order's first shipment goes out; if many orders ship concurrently, " +
    "`invoice` may be null here and follows within a minute. The order becomes `delivered` when " +
    "all its units are delivered, and `returned` when everything that was sent is back. With " +
    "`returned_to_origin`, `then` and `goods` say what becomes of the units. With `delivered`, `back` names the " +
    "units that the buyer did not take. Dispatch returns 409 `balance_due` while the balance of an order that is " +
    "paid in parts is neither paid nor waived nor `on_delivery`. " +
    "`If-Match` accepts the order's `ETag`. Setting the current status changes nothing.",
  access: staff("orders.update"),
  request: {
    params: byId.extend({ shipment: z.string().max(60) }),
    body: ShipmentPatch.meta({ example: { status: "out_for_delivery" } }),
    headers: ifMatch,
  },
  response: { status: 200, data: ShipmentAnswer, headers: ["ETag"] },
  errors: ["invalid_transition", "insufficient_stock", "balance_due", "version_mismatch"],
  first: ({ params }, { orders }: Deps) => orders.find(params.id),
  async handle(call, deps) {
    const { params, body, headers, first } = call;
    const settings = await deps.settings.current();
    const readAgain = () => deps.orders.find(params.id);
    const after = await retryOnConflict(first, readAgain, async (read) => {
      const record = orNotFound(read);
      const shipment = shipmentIn(record, params.shipment);
      requireVersion(headers["if-match"], record.order.version);
      return patchShipment(record, shipment, body, {
        settings,
        audit: auditContextOf(call),
        deps,
      });
    });
    return answerOf(after, params.shipment, call);
  },
});

export const routes = [addShipment, changeAnyShipment];
