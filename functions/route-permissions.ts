import type { Route } from "#shared/http/route.ts";
import type { EntityName } from "#shared/storage/entity-name.ts";
import type { Permissions } from "./deployed-function.ts";

type TablePermissions = Pick<Required<Permissions>, "reads" | "writes">;

/**
 * What `serve` and the declarations of routes read and write. The caller's session, the rate counter, the idempotency
 * key and the public generation follow from members of the route; `reads` and `writes` name the entities of a route
 * that is made from its entity.
 */
export function permissionsOfRoutes(routes: readonly Route[]): TablePermissions {
  const every = routes.map(permissionsOf);
  return {
    reads: [...new Set(every.flatMap(({ reads }) => reads))],
    writes: [...new Set(every.flatMap(({ writes }) => writes))],
  };
}

function permissionsOf(route: Route): TablePermissions {
  const { guard } = route.access;
  const reads: EntityName[] = [];
  const writes: EntityName[] = [];
  if (guard === "staff") {
    reads.push("role", "staff", "staff_session");
    writes.push("seen_session");
  }
  if (guard === "customer" || guard === "optional") reads.push("customer", "customer_session");
  if (route.remembered !== undefined) reads.push("public_generation", "view_pointer");
  if (route.limit !== undefined) writes.push("rate");
  if (route.idempotent !== undefined) {
    reads.push("idempotency");
    writes.push("idempotency");
  }
  // The framework does not know the entities of the table. `grantsFor` refuses unknown names.
  reads.push(...((route.reads ?? []) as EntityName[]));
  writes.push(...((route.writes ?? []) as EntityName[]));
  return { reads, writes };
}
