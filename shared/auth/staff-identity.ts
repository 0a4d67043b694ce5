import { RoleCode } from "../domain/role.ts";
import type { Identity } from "../http/guard.ts";
import { Roles } from "../storage/roles.ts";
import { Sessions, counts } from "../storage/sessions.ts";
import { Staff } from "../storage/staff.ts";
import { type Table, at } from "../storage/table.ts";

/** Knows which staff sessions still count, and what the user's role grants. It needs no signing keys. */
export function openStaffIdentity(table: Table): Identity {
  return {
    async standing(claims, now) {
      const hint = RoleCode.safeParse(claims.role).data;
      const { sessions, users, roles } = await table.getMany({
        sessions: [at(Sessions, claims)],
        users: [at(Staff, { id: claims.subject })],
        roles: hint === undefined ? [] : [at(Roles, { code: hint })],
      });
      const user = users[0];
      if (!user || !counts(sessions[0], user, now)) return undefined;
      // The token names the role that the user had when it was made.
      const role = user.role === hint ? roles[0] : await table.get(Roles, { code: user.role });
      return { permissions: role?.permissions ?? [] };
    },
  };
}
