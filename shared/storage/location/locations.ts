import * as z from "zod";
import { Location } from "../../domain/location/location.ts";
import { AppError } from "../../domain/request/app-error.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type TransactionWrite, type Write, check, put, remove, update } from "../writes.ts";

/** The partition that holds all locations. */
export const locationPartition = "LOCATIONS";

export const Locations = entity({
  name: "location",
  notExported: "few",
  schema: Location,
  key: ({ id }: { id: string }) => ({ pk: locationPartition, sk: `LOCATION#${id}` }),
});

/** Makes the codes of locations unique, and finds their locations. */
export const LocationCodes = entity({
  name: "location_code",
  notExported: "derived",
  schema: z.object({ location_id: z.string() }),
  key: ({ code }: { code: string }) => ({ pk: `LOCATIONCODE#${code}`, sk: "LOCATION" }),
});

/** The location with this code; undefined if there is none. */
export async function findLocation(
  table: Pick<Table, "get">,
  code: string,
): Promise<Location | undefined> {
  const claim = await table.get(LocationCodes, { code });
  return claim && table.get(Locations, { id: claim.location_id });
}

/**
 * Stores a location, if it is unchanged since it was read.
 *
 * @param before undefined for a new location
 * @returns writes that throw AppError `already_exists` if another location has the code
 */
export function saveLocation(before: Location | undefined, after: Location): TransactionWrite[] {
  const { id: location_id, code } = after;
  const row = put(Locations, after, before ? is("version", before.version) : isNew);
  if (before?.code === code) return [row];
  const claim = {
    write: put(LocationCodes, { code, location_id }, isNew),
    refused: () =>
      new AppError("already_exists", {
        message: "Another location has this code.",
        details: { path: "code", code },
      }),
  };
  return [row, claim, ...(before ? [remove(LocationCodes, before)] : [])];
}

/** Deletes a location, if it is unchanged since it was read. */
export const deleteLocation = (location: Location): Write[] => [
  remove(Locations, location, is("version", location.version)),
  remove(LocationCodes, location),
];

/**
 * The write with which a quote names a location: its first use marks it as used, which keeps its code. The write is
 * refused if the location was changed or deleted since it was read.
 */
export const useLocation = ({ id, version, used }: Location): Write =>
  used
    ? check(Locations, { id }, is("used", true))
    : update(
        Locations,
        { id },
        { set: { used: true }, add: { version: 1 } },
        is("version", version),
      );
