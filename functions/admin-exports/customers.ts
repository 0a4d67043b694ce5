import type { Shop } from "#shared/application/shop.ts";
import { exportForStaff } from "#shared/application/customer/export-customer.ts";
import { CustomerExport } from "#shared/domain/export/customer-export.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import { byId } from "#shared/http/one-record.ts";
import { route, staff } from "#shared/http/route.ts";
import { Customers } from "#shared/storage/customer/customers.ts";

export const exportCustomer = route({
  method: "GET",
  path: "/admin/customers/{id}/export",
  summary: "Export a customer's data",
  description:
    "Returns everything that the shop holds about the customer, except secrets. Leads and quotes " +
    "are included only if the email is verified, the conversation only if the phone is. Also requires `orders.customers`. The activity log records each call.",
  access: staff("exports.run"),
  request: { params: byId },
  response: { status: 200, data: CustomerExport },
  errors: ["payload_too_large"],
  first: ({ params }, { table }: Shop<"table">) => table.get(Customers, params),
  async handle(call, { table }) {
    orNotFound(call.first);
    return { data: await exportForStaff(call, table) };
  },
});

export const routes = [exportCustomer];
