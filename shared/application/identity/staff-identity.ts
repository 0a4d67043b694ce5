import { RoleCode, maxDiscountOf } from "../../domain/staff/role.ts";
import type { Identity } from "../../auth/identity.ts";
import { Roles } from "../../storage/staff/roles.ts";
import { plainLog } from "../../runtime/log.ts";
import { markSeen, type Session, StaffSessions, counts } from "../../storage/staff/sessions.ts";
import { Staff } from "../../storage/staff/staff.ts";
import { at } from "../../storage/reads.ts";
import type { Table } from "../../storage/table.ts";

const hourMs = 3_600_000;
/** Maximum number of sessions for which an instance remembers when it last stored their use. */
const mostRemembered = 1_000;

/**
 * Returns a function that stores the time at which a session was used, at most once an hour per session and instance.
 * If the write fails, the request continues.
 */
function sessionMarks(table: Table) {
  const marked = new Map<string, number>();
  return async (session: string, row: Session | undefined, now: Date): Promise<void> => {
    const last = marked.get(session) ?? Date.parse(row?.created_at ?? "");
    if (now.getTime() - last < hourMs) return;
    if (marked.size >= mostRemembered) marked.clear();
    marked.set(session, now.getTime());
    try {
      await table.write(markSeen(session, now));
    } catch (cause) {
      plainLog.error("Time of the session's last use not stored", { cause });
    }
  };
}

/**
 * Verifies staff sessions and reads the permissions of the user's role. It needs no signing keys, because the
 * authorizer has already verified the token.
 */
export function openStaffIdentity(table: Table): Identity {
  const mark = sessionMarks(table);
  return {
    async sessionState(claims, now) {
      const hint = RoleCode.safeParse(claims.role).data;
      const { sessions, users, roles } = await table.getMany({
        sessions: [at(StaffSessions, claims)],
        users: [at(Staff, { id: claims.subject })],
        roles: hint === undefined ? [] : [at(Roles, { code: hint })],
      });
      const user = users[0];
      if (!user || !counts(sessions[0], user, now)) return undefined;
      // The token names the role that the user had when it was issued. If the role has changed since, the new one is
      // read.
      const [role] = await Promise.all([
        user.role === hint ? roles[0] : table.get(Roles, { code: user.role }),
        mark(claims.session, sessions[0], now),
      ]);
      const enrols = role?.requires_second_factor === true && !user.second_factor_at;
      return {
        permissions: role?.permissions ?? [],
        maxDiscountBps: role ? maxDiscountOf(role) : 0,
        ...(enrols && { mustEnrol: true as const }),
      };
    },
  };
}
