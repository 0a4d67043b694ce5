import { openOrders } from "#shared/storage/order/orders.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { PrintedInvoice, printedInvoice } from "#shared/domain/order/invoice/invoice-view.ts";
import { AppError, orNotFound } from "#shared/domain/request/app-error.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { route, staff } from "#shared/http/route.ts";
import * as z from "zod";
import { waiveBalance } from "#shared/application/order/staff-steps.ts";
import { AdminOrder, adminOrder } from "#shared/domain/order/view/admin-order.ts";
import { PartPatch } from "#shared/domain/order/status/balance.ts";

export const getInvoice = route({
  method: "GET",
  path: "/admin/orders/{id}/invoice",
  summary: "Get an order's invoice",
  description:
    "The invoice is issued when the first shipment goes out; until then, returns 404. Returned " +
    "units do not change the invoice.",
  access: staff("orders.view"),
  request: { params: byId },
  response: { status: 200, data: PrintedInvoice },
  first: ({ params }, { table }: Shop<"table" | "settings", CommerceGroup>) =>
    openOrders(table).find(params.id),
  async handle({ first }, { settings }) {
    const { store } = await settings.current();
    const invoice = printedInvoice(orNotFound(first).order, store);
    if (!invoice) {
      throw new AppError("not_found", {
        message: "This order has no invoice yet. It gets one when its first shipment is sent.",
      });
    }
    return { data: invoice };
  },
});

export const changePart = route({
  method: "PATCH",
  path: "/admin/orders/{id}/payment-schedule/{code}",
  summary: "Waive what is due before dispatch",
  description:
    "Lets the order leave before its balance, or what is due again, is paid. The money is still owed. " +
    "Waiving a waived part changes nothing.",
  access: staff("orders.refund"),
  request: {
    params: byId.extend({ code: z.string().max(60) }),
    body: PartPatch.meta({ example: { state: "waived", reason: "Pays by cheque on delivery" } }),
    headers: ifMatch,
  },
  response: { status: 200, data: AdminOrder, headers: ["ETag"] },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { table }: Shop<"table">) => openOrders(table).find(params.id),
  async handle(call, shop) {
    const record = await waiveBalance(call, call.first, shop);
    return { data: adminOrder(record, call.permissions), version: record.order.version };
  },
});

export const routes = [getInvoice, changePart];
