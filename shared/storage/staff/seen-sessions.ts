import * as z from "zod";
import { Timestamp } from "../../domain/base/text.ts";
import { entity } from "../entity.ts";
import { StaffSessions, partitionOf } from "./sessions.ts";
import type { SessionId } from "../../domain/request/identity.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, update } from "../writes.ts";

/**
 * When a staff session was last used, to the hour. It has a partition of its own: every function for admin routes
 * writes it, and most of them may not write other staff records.
 */
export const SeenSessions = entity({
  name: "seen_session",
  notExported: "credential",
  schema: z.object({ last_seen_at: Timestamp }),
  key: ({ session }: Pick<SessionId, "session">) => ({ pk: `SEEN#${session}`, sk: "SEEN" }),
  ttl: "set by updates",
});

const keptSeconds = 4 * 86_400;

export const markSeen = (session: string, now: Date): Write =>
  update(
    SeenSessions,
    { session },
    {
      set: {
        last_seen_at: now.toISOString(),
        entity: SeenSessions.name,
        ttl: Math.ceil(now.getTime() / 1000) + keptSeconds,
      },
    },
  );

/** A staff user's sessions, newest first, each with its last use. */
export async function sessionsOf(table: Table, staffId: string) {
  const { records } = await table.page(StaffSessions, {
    partition: partitionOf("staff", staffId),
    prefix: "SESSION#",
    newestFirst: true,
  });
  const { seen } = await table.getMany({
    seen: records.map(({ session }) => at(SeenSessions, { session })),
  });
  return records.map((session, position) => ({
    ...session,
    last_seen_at: seen[position]?.last_seen_at ?? session.created_at,
  }));
}
