import type { RoleCode } from "#shared/domain/staff/role.ts";
import type { StaffUser } from "#shared/domain/staff/staff.ts";
import { type Method } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { ensureRoles } from "#shared/storage/staff/roles.ts";
import { Staff } from "#shared/storage/staff/staff.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Reply, clientOf } from "../http/client.ts";
import { type World, signedIn } from "./people.ts";

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
