import type { Shop } from "#shared/application/shop.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { type RecordStore, newRow } from "#shared/application/record-store.ts";
import { newId } from "#shared/domain/base/ids.ts";
import {
  type Location,
  type LocationInput,
  mostLocations,
} from "#shared/domain/location/location.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import type { CommerceGroup, Settings } from "#shared/domain/settings/settings.ts";
import {
  Locations,
  deleteLocation,
  locationPartition,
  saveLocation,
} from "#shared/storage/location/locations.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";

const targetOf = ({ id, name }: Location) => ({ kind: "location", id, label: name });

/** Locations as staff edit them. Each write stores its activity record. */
export const locationStore: RecordStore<
  Shop<"table" | "settings", CommerceGroup>,
  LocationInput,
  Location
> = {
  newId: (_input, now) => newId("loc", now),
  read: (id, { table }) => table.get(Locations, { id }),
  async create(input, { id, audit, deps, bind }) {
    const { table, settings } = deps;
    const created: Location = { id, used: false, ...newRow(input, audit.now) };
    const range = { partition: locationPartition };
    const [{ records }, current] = await Promise.all([
      table.page(Locations, range, { limit: mostLocations }),
      settings.current(),
    ]);
    if (records.length === mostLocations) {
      throw invalidField("code", `A shop has at most ${mostLocations} locations.`);
    }
    requireZones(created, current);
    await table.transact([
      ...saveLocation(undefined, created),
      recordActivity(audit, "location.create", targetOf(created), {
        before: undefined,
        after: created,
      }),
      ...(await bind(created)),
    ]);
    return created;
  },
  async update(before, change, { audit, deps }) {
    const { table, settings } = deps;
    const version = before.version + 1;
    const after = { ...before, ...change, version, updated_at: audit.now.toISOString() };
    if (isUnchanged(before, after)) return before;
    if (before.used && after.code !== before.code) throw inUse(before);
    requireZones(after, await settings.current());
    await table.transact([
      ...saveLocation(before, after),
      recordActivity(audit, "location.update", targetOf(after), { before, after }),
    ]);
    return after;
  },
  async remove(before, { audit, deps }) {
    if (before.used) throw inUse(before);
    await deps.table.transact([
      ...deleteLocation(before),
      recordActivity(audit, "location.delete", targetOf(before), { before }),
    ]);
  },
};

/** @throws AppError `validation_failed` naming a zone that the settings do not have */
function requireZones({ zones }: LocationInput, { shipping }: Settings): void {
  const known = new Set(shipping.zones.map(({ code }) => code));
  const unknown = zones.findIndex((code) => !known.has(code));
  if (unknown >= 0) throw invalidField(`zones.${unknown}`, "There is no such shipping zone.");
}

const inUse = ({ id, code }: Location): AppError =>
  new AppError("in_use", {
    message: "Quotes name this location, so its code stays and it cannot be deleted.",
    details: { id, code, used_by: [{ kind: "quotes", id: code, label: `Quotes at ${code}` }] },
  });
