import { openOrders } from "#shared/storage/order/orders.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { PrintedInvoice, printedInvoice } from "#shared/domain/order/invoice/invoice-view.ts";
import { AppError, orNotFound } from "#shared/domain/request/app-error.ts";
import { byId } from "#shared/http/one-record.ts";
import { route, staff } from "#shared/http/route.ts";

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

export const routes = [getInvoice];
