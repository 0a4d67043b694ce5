import { recordRoutes } from "#functions/record-routes.ts";
import { locationStore } from "#shared/application/location/save-location.ts";
import { Location, LocationInput } from "#shared/domain/location/location.ts";
import { Locations, locationPartition } from "#shared/storage/location/locations.ts";

export const routes = recordRoutes({
  path: "/admin/locations",
  one: "a location",
  permissions: { view: "inventory.view", edit: "inventory.adjust" },
  record: Location,
  input: LocationInput,
  examples: {
    record: {
      code: "indiranagar",
      name: "Showroom Indiranagar",
      kind: "showroom",
      address: {
        line1: "12, 100 Feet Road",
        city: "Bengaluru",
        state: "Karnataka",
        postal_code: "560038",
        country: "IN",
      },
    },
    patch: { name: "Showroom on 100 Feet Road" },
  },
  descriptions: {
    create: "Quotes and orders can then name it. A shop has at most 30 locations.",
    get: "Includes the `version` that `If-Match` accepts.",
    replace: "Returns 409 if `code` changes and a quote has named the location.",
    change: "Returns 409 if `code` changes and a quote has named the location.",
    remove: "Returns 409 if a quote has named the location; set `sells` to false instead.",
  },
  errors: {
    create: ["already_exists"],
    edit: ["already_exists", "in_use"],
    remove: ["in_use"],
  },
  list: {
    summary: "List locations, oldest first",
    description: "Where the shop sells and keeps its goods.",
    entity: Locations,
    partition: locationPartition,
  },
  store: locationStore,
});
