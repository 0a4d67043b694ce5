import * as z from "zod";
import { Code } from "#shared/domain/base/names.ts";
import { Day } from "#shared/domain/base/text.ts";
import { Delivery, deliveriesOf } from "#shared/domain/order/delivery-run.ts";
import type { SlotZone } from "#shared/domain/delivery/slot-zone.ts";
import {
  DayInput,
  PlannedDay,
  type PlannedRows,
  dayProblem,
  plannedDay,
  usualDay,
  withCountsOf,
} from "#shared/domain/delivery/planned-day.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { AppError, invalidField, invalidFields } from "#shared/domain/request/app-error.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { isUnchanged, replace } from "#shared/application/edit.ts";
import { ifMatch } from "#shared/http/one-record.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import { is, isNew } from "#shared/storage/conditions.ts";
import {
  DeliveryDays,
  PlannedDeliveries,
  readDays,
} from "#shared/storage/delivery/delivery-places.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import { put } from "#shared/storage/writes.ts";
import type { Deps } from "./deps.ts";

const form = editForm(DayInput, PlannedDay);

const DayPath = z.object({ zone: z.string().max(60), date: Day });

export const listDeliveries = route({
  method: "GET",
  path: "/admin/deliveries",
  summary: "List the deliveries of a day",
  description:
    "The visits of the day, sorted by zone and window, with address, access, packages and the cash to collect. A visit " +
    "names the units of its shipment or, before it leaves, those still to be sent. `per_page` counts orders.",
  access: staff("orders.view"),
  request: { query: CursorPage.extend({ date: Day, zone: Code.optional() }) },
  response: { status: 200, data: z.array(Delivery), meta: CursorMeta },
  async handle({ query: { date, zone, per_page, cursor } }, { table }: Deps) {
    const partition = `DELIVERIES#${date}`;
    const prefix = zone && `${zone}#`;
    const list = { attribute: "pk", value: partition, prefix };
    const { records, next } = await table.query(PlannedDeliveries, {
      partition,
      prefix,
      limit: per_page,
      after: keyOfCursor(cursor, list),
    });
    const orders = openOrders(table);
    const visits = await Promise.all(
      records.map(async ({ order_id, ...place }) => {
        const record = await orders.find(order_id);
        return record ? deliveriesOf(record, { ...place, date }) : [];
      }),
    );
    return { data: visits.flat(), meta: { per_page, next_cursor: cursorOf(next, list) } };
  },
});

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
  async handle({ params, now }, { table, settings }: Deps) {
    const zone = zoneIn(await settings.current(), params.zone);
    const day = plannedDay(zone, params.date, await readRows(table, zone, params.date), now);
    return { data: day, version: day.version };
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
  async handle(call, { table, settings }: Deps) {
    const { params, now } = call;
    const { date } = params;
    const shop = await settings.current();
    const zone = zoneIn(shop, params.zone);
    const rows = await readRows(table, zone, date);
    const shown = plannedDay(zone, date, rows, now);
    const body = form.replaced(call.body, withCountsOf(call.body, shown));
    const windows = shown.windows.map(({ code }) => code);
    const known = new Set([...Object.keys(shown.capacities), ...windows]);
    const unknown = Object.keys(body.capacities).filter((code) => !known.has(code));
    if (unknown.length > 0) {
      const message = "The zone has no window with this code.";
      throw invalidFields(unknown.map((code) => ({ path: `capacities.${code}`, message })));
    }
    const read = () => table.get(DeliveryDays, { zone: zone.code, date });
    const own = await replace(rows.own, read, call.headers["if-match"], async (stored) => {
      const before = stored ?? usualDay(zone, date);
      const after = { ...before, ...body, version: before.version + 1 };
      if (isUnchanged(before, after)) return before;
      const problem = dayProblem(zone, after, shop, now);
      if (problem !== null) throw invalidField("date", problem);
      const label = `${zone.code} ${date}`;
      const target = { kind: "delivery_day", id: `${zone.code}/${date}`, label };
      await table.transact([
        put(DeliveryDays, after, stored ? is("version", stored.version) : isNew),
        recordActivity(auditContextOf(call), "delivery_day.replace", target, {
          before: stored,
          after,
        }),
      ]);
      return after;
    });
    const { counts } = await readRows(table, zone, date);
    return { data: plannedDay(zone, date, { own, counts }, now), version: own.version };
  },
});

function zoneIn({ shipping: { slots } }: Pick<Settings, "shipping">, code: string): SlotZone {
  const own = Object.hasOwn(slots.zones, code) ? slots.zones[code] : undefined;
  if (own) return { code, slots: own };
  throw new AppError("not_found", { message: "This zone has no delivery slots." });
}

async function readRows(table: Table, { code }: SlotZone, date: Day): Promise<PlannedRows> {
  const { days, counts } = await readDays(table, code, { from: date, to: date });
  return { own: days[0], counts };
}

export const routes = [listDeliveries, getDeliveryDay, planDeliveryDay];
