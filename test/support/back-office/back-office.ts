import type { Stack } from "#infra/local/stack.ts";
import { type GuardedOptions, startGuardedStack } from "../stack/shop.ts";
import type { RoleCode } from "#shared/domain/staff/role.ts";
import { ensureRoles } from "#shared/storage/staff/roles.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Inbox, inboxOf } from "../emulators/inbox.ts";
import {
  type World,
  worldOf,
  type Ask,
  type StaffClient,
  asking,
  staffClient,
} from "../people/people.ts";
import { plantSettings } from "../shop/plant.ts";

/** A separate shop without products, for tests of roles and owners. */
export interface BackOffice {
  readonly stack: Stack;
  readonly table: Table;
  readonly inbox: Inbox;
  /** Sends calls with this token; without a token, as an anonymous caller. */
  asking(token?: string): Ask;
  /** A new signed-in staff user of that role. */
  colleague(role: RoleCode): Promise<StaffClient>;
  /** The token of the newest mailed link of this kind to an address. */
  mailedToken(email: string, page: "reset-password" | "verify-email"): Promise<string>;
  stop(): Promise<void>;
}

export async function openBackOffice(
  options: Pick<GuardedOptions, "effects"> = {},
): Promise<BackOffice> {
  const stack = await startGuardedStack({
    ...options,
    async seed(environment) {
      const { table } = worldOf(environment);
      await plantSettings(table);
      await ensureRoles(table, new Date());
    },
  });
  const world: World = worldOf(stack.environment);
  const inbox = inboxOf(stack.environment.SES_ENDPOINT);

  return {
    stack,
    table: world.table,
    inbox,
    asking: (token) => asking(stack.baseUrl, token),
    colleague: (role) => staffClient(stack.baseUrl, world, role),
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
