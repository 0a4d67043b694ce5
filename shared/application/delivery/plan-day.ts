import type { Shop } from "#shared/application/shop.ts";
import {
  type ExpectedVersion,
  AppError,
  invalidField,
  invalidFields,
} from "#shared/domain/request/app-error.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { isUnchanged, replaceRecord } from "#shared/application/edit.ts";
import type { Day } from "#shared/domain/base/text.ts";
import {
  type DayInput,
  type PlannedDay,
  type PlannedRows,
  dayProblem,
  plannedDay,
  usualDay,
} from "#shared/domain/delivery/planned-day.ts";
import type { SlotZone } from "#shared/domain/delivery/slot-zone.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { is, isNew } from "#shared/storage/conditions.ts";
import { DeliveryDays, readDays } from "#shared/storage/delivery/delivery-places.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import { put } from "#shared/storage/writes.ts";

interface OpenedDay {
  readonly shop: Pick<Settings, "shipping" | "store">;
  readonly zone: SlotZone;
  readonly date: Day;
  readonly rows: PlannedRows;
  /** The day as staff see it. */
  readonly shown: PlannedDay;
}

/**
 * Reads a day of a zone as it is planned.
 *
 * @throws AppError `not_found` for a zone without delivery slots
 */
export async function openDay(
  { zone: code, date }: { readonly zone: string; readonly date: Day },
  { table, settings }: Shop<"table" | "settings", "shipping" | "store">,
  now: Date,
): Promise<OpenedDay> {
  const shop = await settings.current();
  const zone = zoneIn(shop, code);
  const rows = await readRows(table, zone, date);
  return { shop, zone, date, rows, shown: plannedDay(zone, date, rows, now) };
}

interface PlanningCall extends AuditedCall {
  readonly body: DayInput;
  readonly expected: ExpectedVersion;
}

/**
 * Plans a day: closes it, or changes the capacities of its windows.
 *
 * @throws AppError `validation_failed`, `version_mismatch`
 */
export async function planDay(
  call: PlanningCall,
  { shop, zone, date, rows, shown }: OpenedDay,
  { table }: Shop<"table" | "settings", "shipping" | "store">,
): Promise<PlannedDay> {
  const { body, expected, now } = call;
  const windows = shown.windows.map(({ code }) => code);
  const known = new Set([...Object.keys(shown.capacities), ...windows]);
  const unknown = Object.keys(body.capacities).filter((code) => !known.has(code));
  if (unknown.length > 0) {
    const message = "The zone has no window with this code.";
    throw invalidFields(unknown.map((code) => ({ path: `capacities.${code}`, message })));
  }
  const read = () => table.get(DeliveryDays, { zone: zone.code, date });
  const own = await replaceRecord(rows.own, read, expected, async (stored) => {
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
  return plannedDay(zone, date, { own, counts }, now);
}

function zoneIn({ shipping: { slots } }: Pick<Settings, "shipping">, code: string): SlotZone {
  const own = Object.hasOwn(slots.zones, code) ? slots.zones[code] : undefined;
  if (own) return { code, slots: own };
  throw new AppError("not_found", { message: "This zone has no delivery slots." });
}

async function readRows(table: Table, { code }: SlotZone, date: Day): Promise<PlannedRows> {
  const { days, counts } = await readDays(table, code, { from: date, to: date });
  return { own: days[0], counts };
}
