import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { openDay, planDay } from "#shared/application/delivery/plan-day.ts";
import { Code } from "#shared/domain/base/names.ts";
import { Day } from "#shared/domain/base/text.ts";
import { DayInput, PlannedDay, withCountsOf } from "#shared/domain/delivery/planned-day.ts";
import {
  Delivery,
  deliveriesOf,
  returnVisitsOf,
} from "#shared/domain/order/shipment/delivery-run.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { ifMatch } from "#shared/http/one-record.ts";
import { listRoute } from "#functions/list-route.ts";
import { CursorPage } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import { PlannedDeliveries } from "#shared/storage/delivery/delivery-places.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import type { Table } from "#shared/storage/table.ts";

const form = editForm(DayInput, PlannedDay);

const DayPath = z.object({ zone: z.string().max(60), date: Day });

export const listDeliveries = listRoute({
  path: "/admin/deliveries",
  summary: "List the deliveries and pickups of a day",
  description:
    "The visits of the day, sorted by zone and window, with address, access, packages and the cash to collect. A visit " +
    "names the units of its shipment or, before it leaves, those still to be sent. `per_page` counts orders.",
  access: staff("orders.view"),
  query: CursorPage.extend({ date: Day, zone: Code.optional() }),
  row: Delivery,
  list({ query: { date, zone } }, { table }: Shop<"table">) {
    const range = { partition: `DELIVERIES#${date}`, prefix: zone && `${zone}#` };
    return { range, page: (at) => table.page(PlannedDeliveries, range, at) };
  },
  shown: (planned, { query: { date } }, { table }) => visitsOf(planned, date, table),
});

/** The visits to the orders that are planned for a day. */
async function visitsOf(
  planned: readonly z.output<(typeof PlannedDeliveries)["schema"]>[],
  date: string,
  table: Table,
) {
  const orders = openOrders(table);
  const visits = await Promise.all(
    planned.map(async ({ order_id, return_id, ...windowOf }) => {
      const record = await orders.find(order_id);
      if (!record) return [];
      const place = { ...windowOf, date };
      return return_id === null
        ? deliveriesOf(record, place)
        : returnVisitsOf(record, return_id, place);
    }),
  );
  return visits.flat();
}

export const getDeliveryDay = route({
  method: "GET",
  path: "/admin/delivery-days/{zone}/{date}",
  summary: "Get the capacities and bookings of a day",
  description:
    "Shows each window with its capacity on this day, the orders that have booked it and the places that carts hold. " +
    "`capacities` has what staff have changed; `over_booked` names the windows with more bookings than capacity.",
  access: staff("orders.view"),
  request: { params: DayPath },
  response: { status: 200, data: PlannedDay },
  async handle({ params, now }, shop: Shop<"table" | "settings", "shipping" | "store">) {
    const { shown } = await openDay(params, shop, now);
    return { data: shown, version: shown.version };
  },
});

export const planDeliveryDay = route({
  method: "PUT",
  path: "/admin/delivery-days/{zone}/{date}",
  summary: "Change the capacities of a day, or close it",
  description:
    "Applies to one day in one zone; the settings hold the usual capacities. Bookings stay: `over_booked` names the " +
    "windows that have too many. Returns 422 for a day that has passed, and for a day on which the zone does not " +
    "deliver by its weekdays and closed days in the settings. An empty body goes back to the usual capacities and is " +
    "accepted for any day.",
  access: staff("orders.update"),
  request: {
    params: DayPath,
    headers: ifMatch,
    body: form.put.meta({ example: { closed: false, capacities: { morning: 4 } } }),
  },
  response: { status: 200, data: PlannedDay },
  errors: ["version_mismatch"],
  async handle(call, shop: Shop<"table" | "settings", "shipping" | "store">) {
    const { params, now, headers } = call;
    const opened = await openDay(params, shop, now);
    const body = form.replaced(call.body, withCountsOf(call.body, opened.shown));
    const day = await planDay({ ...call, body, expected: headers["if-match"] }, opened, shop);
    return { data: day, version: day.version };
  },
});

export const routes = [listDeliveries, getDeliveryDay, planDeliveryDay];
