import type { Shop } from "#shared/application/shop.ts";
import { StaffUser } from "#shared/domain/staff/staff.ts";
import { listRoute } from "#functions/list-route.ts";
import { staff } from "#shared/http/route.ts";
import { allStaff, openStaff } from "#shared/storage/staff/staff.ts";

const Colleague = StaffUser.pick({ id: true, name: true }).meta({ id: "Colleague" });

export const listColleagues = listRoute({
  path: "/admin/colleagues",
  summary: "List the staff users whom leads, quotes and sales can name",
  description: "Active users, sorted by email. Pages may be shorter than `per_page`.",
  access: staff("leads.edit", "orders.create"),
  row: Colleague,
  list: (_call, { table }: Shop<"table">) => ({
    range: allStaff,
    page: (at) => openStaff(table).list({ ...at, matches: ({ status }) => status === "active" }),
  }),
});

export const routes = [listColleagues];
