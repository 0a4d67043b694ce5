import { requiredGuard } from "../http/every-route.ts";
import type { Claims } from "#shared/auth/claims.ts";
import type { Guard } from "#shared/domain/request/identity.ts";
import type { KeyRing } from "#shared/runtime/key-ring.ts";
import { signIn } from "#shared/application/identity/sign-in.ts";
import type { StaffUser } from "#shared/domain/staff/staff.ts";
import type { Route } from "#shared/http/route.ts";
import { Customers, claimEmail } from "#shared/storage/customer/customers.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Write, put } from "#shared/storage/writes.ts";
import type { StackEnvironment } from "#infra/local/stack.ts";
import { aCustomer } from "./customers.ts";
import { aStaffUser, addStaff } from "./staff.ts";
import { tableOf } from "../shop/plant.ts";

/** The table where people are created, and the keys that sign their tokens. */
export interface World {
  readonly table: Table;
  readonly keys: Record<Guard, KeyRing>;
}

/** The table and keys of a running stack. */
export function worldOf(environment: StackEnvironment): World {
  const ring = (json: string) => JSON.parse(json) as KeyRing;
  return {
    table: tableOf(environment),
    keys: {
      customer: ring(environment.CUSTOMER_TOKEN_KEYS),
      staff: ring(environment.STAFF_TOKEN_KEYS),
    },
  };
}

/** What has changed about a user since the sign-in. `role` applies to staff only; default: owner. */
type Fate = Partial<Pick<StaffUser, "status" | "session_epoch" | "role">>;

export interface SignedIn {
  readonly claims: Claims;
  readonly token: string;
}

/** A new user who has just signed in. */
export async function signedIn(
  { table, keys }: World,
  guard: Guard,
  fate: Fate = {},
): Promise<SignedIn> {
  const now = new Date();
  const { id, role, writes: person } = personOf(guard, fate);
  const ring = keys[guard];
  const { token, session, writes } = await signIn(
    { guard, subject: id, epoch: 1, role },
    async () => ring,
    { ip: "127.0.0.1", now },
  );
  await table.transact([...person, ...writes]);
  return { claims: { guard, subject: id, session, role }, token };
}

/** Headers that authorize calls of a route. Each guarded route gets its own user. */
export function passesOf(world: World): (route: Route) => Promise<Record<string, string>> {
  const made = new Map<Route, Promise<Record<string, string>>>();

  async function passOf(route: Route): Promise<Record<string, string>> {
    const guard = requiredGuard(route);
    if (!guard) return {};
    const { token } = await signedIn(world, guard);
    return { authorization: `Bearer ${token}` };
  }
  return (route) => {
    const pass = made.get(route) ?? passOf(route);
    made.set(route, pass);
    return pass;
  };
}

function personOf(
  guard: Guard,
  { role = "owner", ...fate }: Fate,
): { id: string; role: string | null; writes: Write[] } {
  if (guard === "customer") {
    const customer = aCustomer(fate);
    return {
      id: customer.id,
      role: null,
      writes: [put(Customers, customer), claimEmail(customer)],
    };
  }
  const user = aStaffUser({ role, ...fate });
  return { id: user.id, role, writes: addStaff(user) };
}
