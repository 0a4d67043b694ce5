import { randomUUID } from "node:crypto";
import { signIn } from "#shared/auth/sign-in.ts";
import { newId } from "#shared/domain/ids.ts";
import type { RoleCode } from "#shared/domain/role.ts";
import { newStaffUser } from "#shared/domain/staff.ts";
import { apiPrefix } from "#shared/http/route.ts";
import { ensureRoles } from "#shared/storage/roles.ts";
import { Staff } from "#shared/storage/staff.ts";
import { put } from "#shared/storage/writes.ts";
import { type Reply, clientOf } from "./client.ts";
import type { World } from "./people.ts";

type Headers = Readonly<Record<string, string>>;

/** A staff user at work: every call carries the user's token. */
export interface StaffClient {
  readonly id: string;
  get<Body>(path: string): Promise<Reply<Body>>;
  post<Body>(path: string, body: unknown, headers?: Headers): Promise<Reply<Body>>;
  put<Body>(path: string, body: unknown, headers?: Headers): Promise<Reply<Body>>;
  patch<Body>(path: string, body: unknown, headers?: Headers): Promise<Reply<Body>>;
  delete<Body>(path: string, headers?: Headers): Promise<Reply<Body>>;
}

/** Somebody new of a role, signed in. */
export async function staffClient(
  baseUrl: string,
  { table, keys }: World,
  role: RoleCode,
): Promise<StaffClient> {
  const now = new Date();
  const id = newId("stf", now);
  const email = `${randomUUID()}@staff.test`;
  const { token, write } = await signIn(
    { guard: "staff", subject: id, epoch: 1, role },
    async () => keys.staff,
    now,
  );
  await ensureRoles(table, now);
  await table.transact([
    put(Staff, newStaffUser({ email, name: "Ravi", role }, { id, now })),
    write,
  ]);

  const client = clientOf(baseUrl);
  const call =
    (method: string) =>
    <Body>(path: string, body?: unknown, headers: Headers = {}) =>
      client.send<Body>(method, apiPrefix + path, {
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
  return {
    id,
    get: (path) => call("GET")(path),
    post: call("POST"),
    put: call("PUT"),
    patch: call("PATCH"),
    delete: (path, headers) => call("DELETE")(path, undefined, headers),
  };
}
