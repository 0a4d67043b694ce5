import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { StaffUser } from "#shared/domain/staff/staff.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import { openStaff, staffList } from "#shared/storage/staff/staff.ts";

const Colleague = StaffUser.pick({ id: true, name: true }).meta({ id: "Colleague" });

export const listColleagues = route({
  method: "GET",
  path: "/admin/colleagues",
  summary: "List the staff users whom leads, quotes and sales can name",
  description: "Active users, sorted by email. Pages may be shorter than `per_page`.",
  access: staff("leads.edit", "orders.create"),
  request: { query: CursorPage },
  response: { status: 200, data: z.array(Colleague), meta: CursorMeta },
  async handle({ query: { per_page, cursor } }, shop: Shop<"table">) {
    const list = { attribute: "gsi1pk", value: staffList };
    const after = keyOfCursor(cursor, list);
    const { records, next } = await openStaff(shop.table).list({ limit: per_page, after });
    const data = records.filter(({ status }) => status === "active");
    return { data, meta: { per_page, next_cursor: cursorOf(next, list) } };
  },
});

export const routes = [listColleagues];
