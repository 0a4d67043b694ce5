import { type Stack, startStack } from "#infra/local/stack.ts";
import type { RoleCode } from "#shared/domain/role.ts";
import type { StaffUser } from "#shared/domain/staff.ts";
import type { Method } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/http/route.ts";
import { ensureRoles } from "#shared/storage/roles.ts";
import { Staff } from "#shared/storage/staff.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Reply, clientOf } from "./client.ts";
import { type Inbox, inboxOf } from "./inbox.ts";
import { type World, signedIn, worldOf } from "./people.ts";
import { plantSettings } from "./plant.ts";

/** A call in somebody's name, from an address of its own. */
export type Ask = <Body>(
  method: Method,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply<Body>>;

export interface Colleague {
  readonly id: string;
  readonly token: string;
  readonly ask: Ask;
  /** As stored at this moment. */
  stored(): Promise<StaffUser>;
}

/** A shop of a test's own, without goods: whose roles and owners are nobody else's business. */
export interface BackOffice {
  readonly stack: Stack;
  readonly table: Table;
  readonly inbox: Inbox;
  /** In the name of whoever has the token; nobody's without one. */
  asking(token?: string): Ask;
  /** Somebody new of that role, signed in. */
  colleague(role: RoleCode): Promise<Colleague>;
  /** The token of the newest link to such a page that was mailed to an address. */
  mailedToken(email: string, page: "reset-password" | "verify-email"): Promise<string>;
  stop(): Promise<void>;
}

export async function openBackOffice(): Promise<BackOffice> {
  const stack = await startStack({
    async seed(environment) {
      const { table } = worldOf(environment);
      await plantSettings(table);
      await ensureRoles(table, new Date());
    },
  });
  const world: World = worldOf(stack.environment);
  const { table } = world;
  const inbox = inboxOf(stack.environment.SES_ENDPOINT);

  const asking: BackOffice["asking"] =
    (token) =>
    (method, path, body, headers = {}) =>
      clientOf(stack.baseUrl).send(method, apiPrefix + path, {
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });

  return {
    stack,
    table,
    inbox,
    asking,
    async colleague(role) {
      const { token, claims } = await signedIn(world, "staff", { role });
      const id = claims.subject;
      return { id, token, ask: asking(token), stored: () => userOf(table, id) };
    },
    async mailedToken(email, page) {
      const link = new RegExp(`https://desk\\.\\S+/${page}\\?token=([\\w-]{43})`);
      await inbox.waitFor(email, ({ body }) => link.test(body.text));
      const mails = await inbox.mailsTo(email);
      const tokens = mails.flatMap(({ body }) => link.exec(body.text)?.[1] ?? []);
      return tokens.at(-1) ?? "";
    },
    stop: () => stack.stop(),
  };
}

export async function userOf(table: Table, id: string): Promise<StaffUser> {
  const user = await table.get(Staff, { id });
  if (!user) throw new Error(`There is no staff user ${id}`);
  return user;
}
