import { exportOfCustomer, recordExport } from "#shared/application/customer/customer-export.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { CustomerExport } from "#shared/domain/export/customer-export.ts";
import { AppError, orNotFound } from "#shared/domain/request/app-error.ts";
import { lacking } from "#shared/domain/staff/covers.ts";
import { byId } from "#shared/http/one-record.ts";
import { route, staff } from "#shared/http/route.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import type { Deps } from "./deps.ts";

/** Lambda returns at most 6 MB, and escaping makes the JSON text longer. */
const mostBytes = 4_500_000;

export const exportCustomer = route({
  method: "GET",
  path: "/admin/customers/{id}/export",
  summary: "Export a customer's data",
  description:
    "Returns everything that the shop holds about the customer, except secrets. Leads and quotes " +
    "are included only if the email is verified, conversations only if their phone number is on " +
    "a paid or shipped order. Also requires `orders.customers`. The activity log records each call.",
  access: staff("exports.run"),
  request: { params: byId },
  response: { status: 200, data: CustomerExport },
  errors: ["payload_too_large"],
  first: ({ params }, { table }: Deps) => table.get(Customers, params),
  async handle(call, { table }) {
    orNotFound(call.first);
    const permission = lacking(call.permissions, ["orders.customers"]);
    if (permission) throw new AppError("forbidden", { details: { permission } });
    const exported = orNotFound(await exportOfCustomer(table, call.params.id, call.now));
    if (Buffer.byteLength(JSON.stringify(exported.export)) > mostBytes) {
      const message =
        "The customer's data is too large for a response. Ask an operator to run `npm run export-customer`.";
      throw new AppError("payload_too_large", { message });
    }
    await table.write(recordExport(auditContextOf(call), exported));
    return { data: exported.export };
  },
});

export const routes = [exportCustomer];
