import { openStaff } from "#shared/storage/staff/staff.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { listRoute } from "#functions/list-route.ts";
import { Id } from "#shared/domain/base/ids.ts";
import { Timestamp } from "#shared/domain/base/text.ts";
import { sessionOf } from "#shared/domain/request/identity.ts";
import { WholeList } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import { requireAccount } from "#shared/application/identity/account.ts";
import { endOneSession } from "#shared/application/identity/end-session.ts";
import { sessionsOf, StaffSessions, counts } from "#shared/storage/staff/sessions.ts";

const StaffSession = z
  .object({
    id: Id("ses"),
    created_at: Timestamp,
    last_seen_at: Timestamp.meta({ description: "Rounded to the hour" }),
    expires_at: Timestamp,
    address: z.string().nullable().meta({ description: "IP address of the login" }),
    agent: z.string().nullable().meta({ description: "`User-Agent` of the login" }),
    current: z.boolean().meta({ description: "Whether this request uses the session" }),
  })
  .meta({ id: "StaffSession" });

export const listSessions = listRoute({
  path: "/admin/sessions",
  summary: "List your sessions, newest first",
  description: "Lists valid sessions only. `current` marks the session of this request.",
  access: staff(null),
  query: WholeList,
  row: StaffSession,
  async list({ actor, now }, { table }: Shop<"table">) {
    const { subject, session: present } = sessionOf(actor);
    const [found, sessions] = await Promise.all([
      openStaff(table).find(subject),
      sessionsOf(table, subject),
    ]);
    const user = requireAccount(found);
    const entries = sessions
      .filter((session) => counts(session, user, now))
      .map((session) => ({
        ...session,
        id: session.session,
        current: session.session === present,
      }));
    return { name: "sessions", entries, nameOf: ({ id }) => id };
  },
});

export const endOwnSession = route({
  method: "DELETE",
  path: "/admin/sessions/{id}",
  summary: "End one of your sessions",
  description: "The session's token stops working immediately.",
  access: staff(null),
  request: { params: z.object({ id: z.string().max(60) }) },
  response: { status: 204 },
  first: ({ actor, params }, { table }: Shop<"table">) =>
    table.get(StaffSessions, { ...sessionOf(actor), session: params.id }),
  handle: (call, shop) => endOneSession(call, call.first, shop),
});

export const routes = [listSessions, endOwnSession];
