import { newRow } from "#shared/application/record-store.ts";
import { type Location, LocationInput } from "#shared/domain/location/location.ts";
import { saveLocation } from "#shared/storage/location/locations.ts";
import { type Write, writeOf } from "#shared/storage/writes.ts";
import { demoId } from "../identity.ts";

const city = { city: "Bengaluru", state: "Karnataka", country: "IN" };

const places: readonly Parameters<typeof LocationInput.parse>[0][] = [
  {
    code: "peenya",
    name: "Warehouse Peenya",
    kind: "warehouse",
    address: { line1: "41, 3rd Main, Peenya Phase 2", postal_code: "560058", ...city },
  },
  {
    code: "indiranagar",
    name: "Showroom Indiranagar",
    kind: "showroom",
    address: { line1: "12, 100 Feet Road", postal_code: "560038", ...city },
    priority: 10,
  },
];

/** Where the shop has made a quote, so that the location stays. */
const used = "indiranagar";

/** Writes that store the shop's locations, one group for each. */
export function demoLocations(now: Date): Write[][] {
  return places.map((place) => {
    const input = LocationInput.parse(place);
    const id = demoId("loc", input.code);
    const location: Location = { id, used: input.code === used, ...newRow(input, now) };
    return saveLocation(undefined, location).map(writeOf);
  });
}
