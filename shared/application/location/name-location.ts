import type { Location } from "#shared/domain/location/location.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { findLocation, useLocation } from "#shared/storage/location/locations.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";

interface Named {
  readonly location: string | null;
}

/**
 * The writes with which a record names a location; none if it names the one that it named before.
 *
 * @throws AppError `validation_failed` when there is no such location
 */
export async function locationWrites(
  table: Pick<Table, "get">,
  before: Named,
  { location: code }: Named,
): Promise<Write[]> {
  if (code === null || code === before.location) return [];
  const location = await findLocation(table, code);
  if (location) return [useLocation(location)];
  throw invalidField("location", "There is no such location.");
}

/** The address of a location; null if it has none. */
export async function addressAt(
  table: Pick<Table, "get">,
  { location: code }: Named,
): Promise<Location["address"]> {
  const location = code === null ? undefined : await findLocation(table, code);
  return location?.address ?? null;
}
