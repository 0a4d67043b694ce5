import { requiredGuard } from "../http/every-route.ts";
import type { Claims } from "#shared/auth/identity.ts";
import type { Guard } from "#shared/domain/request/identity.ts";
import type { KeyRing } from "#shared/runtime/key-ring.ts";
import { signIn } from "#shared/application/identity/sign-in.ts";
import type { StaffUser } from "#shared/domain/staff/staff.ts";
import type { Route, Method } from "#shared/http/route.ts";
import { Customers, claimEmail } from "#shared/storage/customer/customers.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Write, put } from "#shared/storage/writes.ts";
import type { StackEnvironment } from "#infra/local/stack.ts";
import { aCustomer } from "./members.ts";
import { aStaffUser, addStaff } from "./staff.ts";
import { tableOf } from "../shop/plant.ts";
import { randomBytes } from "node:crypto";
import { endSession } from "#shared/storage/staff/sessions.ts";
import { type TokenParts, forgeToken, unsigned } from "../http/identity.ts";
import type { RoleCode } from "#shared/domain/staff/role.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { ensureRoles } from "#shared/storage/staff/roles.ts";
import { Staff } from "#shared/storage/staff/staff.ts";
import { type Reply, clientOf } from "../http/client.ts";

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

const otherGuard: Record<Guard, Guard> = { customer: "staff", staff: "customer" };

/** The `Authorization` headers that a route must refuse, by what is wrong. Most of the tokens name a valid session. */
export const badTokens: Record<string, (world: World, guard: Guard) => Promise<string>> = {
  garbage: async () => "Bearer garbage",
  "that is empty": async () => "Bearer ",
  "another scheme": async () => "Basic YXNoYTpzZWNyZXQ=",
  "no scheme": async (world, guard) => (await signedIn(world, guard)).token,
  "two tokens": async (world, guard) => {
    const { token } = await signedIn(world, guard);
    return `Bearer ${token} ${token}`;
  },
  expired: forged({ now: new Date("2026-01-01T00:00:00.000Z") }),
  "without an expiry": forged({ claims: { exp: undefined } }),
  "signed by an unknown key under a known key id": async (world, guard) => {
    const { kid } = world.keys[guard].current;
    return forged({ key: { kid, secret: randomBytes(32).toString("base64url") } })(world, guard);
  },
  "signed by the other guard's key": async (world, guard) =>
    forged({ key: world.keys[otherGuard[guard]].current })(world, guard),
  "signed by the other guard's key under this guard's key id": async (world, guard) => {
    const { kid } = world.keys[guard].current;
    const { secret } = world.keys[otherGuard[guard]].current;
    return forged({ key: { kid, secret } })(world, guard);
  },
  "not signed": async (world, guard) => {
    const token = forged({})(world, guard).then((header) => header.slice("Bearer ".length));
    return `Bearer ${await unsigned(token)}`;
  },
  "of another type": forged({ header: { typ: "JWT" } }),
  "of another issuer": forged({ claims: { iss: "elsewhere" } }),
  "for both guards": forged({ claims: { aud: ["storefront", "back-office"] } }),
  "the other guard's": async (world, guard) =>
    `Bearer ${(await signedIn(world, otherGuard[guard])).token}`,
  "of an ended session": async (world, guard) => {
    const { token, claims } = await signedIn(world, guard);
    await world.table.write(endSession(claims));
    return `Bearer ${token}`;
  },
  "from before the password changed": async (world, guard) =>
    `Bearer ${(await signedIn(world, guard, { session_epoch: 2 })).token}`,
  "of a disabled user": async (world, guard) =>
    `Bearer ${(await signedIn(world, guard, { status: "disabled" })).token}`,
  "of a user who does not exist": async (world, guard) => {
    const { claims } = await signedIn(world, guard);
    return bearer(world, guard, { session: claims.session, subject: "cus_none" });
  },
  "with the session of another user": async (world, guard) => {
    const [mine, theirs] = [await signedIn(world, guard), await signedIn(world, guard)];
    const { subject } = mine.claims;
    return bearer(world, guard, { subject, session: theirs.claims.session });
  },
};

/** A token of a signed-in user with these parts changed. */
function forged(parts: TokenParts) {
  return async (world: World, guard: Guard): Promise<string> => {
    const { subject, session } = (await signedIn(world, guard)).claims;
    return bearer(world, guard, { subject, session, ...parts });
  };
}

async function bearer({ keys }: World, guard: Guard, parts: TokenParts): Promise<string> {
  return `Bearer ${await forgeToken({ guard, key: keys[guard].current, ...parts })}`;
}

type Headers = Readonly<Record<string, string>>;

/** Sends a call with a token, from a new IP address. */
export type Ask = <Body>(
  method: Method,
  path: string,
  body?: unknown,
  headers?: Headers,
) => Promise<Reply<Body>>;

/** Sends calls with this token; without a token, as an anonymous caller. */
export const asking =
  (baseUrl: string, token?: string): Ask =>
  (method, path, body, headers = {}) =>
    clientOf(baseUrl).send(method, apiPrefix + path, {
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

/** A staff user's client: every call has the user's token. */
export interface StaffClient {
  readonly id: string;
  readonly token: string;
  readonly ask: Ask;
  get<Body>(path: string): Promise<Reply<Body>>;
  post<Body>(path: string, body: unknown, headers?: Headers): Promise<Reply<Body>>;
  put<Body>(path: string, body: unknown, headers?: Headers): Promise<Reply<Body>>;
  patch<Body>(path: string, body: unknown, headers?: Headers): Promise<Reply<Body>>;
  delete<Body>(path: string, headers?: Headers): Promise<Reply<Body>>;
  /** The stored user at this moment. */
  stored(): Promise<StaffUser>;
}

/** A new signed-in user with a role. */
export async function staffClient(
  baseUrl: string,
  world: World,
  role: RoleCode,
): Promise<StaffClient> {
  await ensureRoles(world.table, new Date());
  const { token, claims } = await signedIn(world, "staff", { role });
  const id = claims.subject;
  const ask = asking(baseUrl, token);
  return {
    id,
    token,
    ask,
    get: (path) => ask("GET", path),
    post: (path, body, headers) => ask("POST", path, body, headers),
    put: (path, body, headers) => ask("PUT", path, body, headers),
    patch: (path, body, headers) => ask("PATCH", path, body, headers),
    delete: (path, headers) => ask("DELETE", path, undefined, headers),
    stored: () => userOf(world.table, id),
  };
}

export async function userOf(table: Table, id: string): Promise<StaffUser> {
  const user = await table.get(Staff, { id });
  if (!user) throw new Error(`There is no staff user ${id}`);
  return user;
}
