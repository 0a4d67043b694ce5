import * as z from "zod";
import type { Guard, SessionId } from "../../domain/request/identity.ts";
import { Timestamp } from "../../domain/base/text.ts";
import { isNew, present } from "../conditions.ts";
import { entity } from "../entity.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove, update } from "../writes.ts";

/** The partition of a customer's or staff user's rows. */
export const partitionOf = (guard: Guard, subject: string): string =>
  `${guard.toUpperCase()}#${subject}`;

const Session = z.object({
  session: z.string(),
  /**
   * The account's `session_epoch` that this session belongs to. The session is valid only while the account has this
   * epoch.
   */
  epoch: z.int().min(1),
  created_at: Timestamp,
  expires_at: Timestamp,
  /** The IP address from which the session was started; null for customers, for whom it is not stored. */
  address: z.string().nullable().default(null),
  agent: z.string().nullable().default(null),
});
export type Session = z.output<typeof Session>;

const sessionEntity = (guard: Guard) =>
  entity({
    name: `${guard}_session`,
    notExported: "credential",
    schema: Session,
    key: ({ subject, session }: Omit<SessionId, "guard">) => ({
      pk: partitionOf(guard, subject),
      sk: `SESSION#${session}`,
    }),
    ttl: ({ expires_at }) => Math.ceil(Date.parse(expires_at) / 1000),
  });

/** The session that a customer's token refers to. A token is valid only while its session exists. */
export const CustomerSessions = sessionEntity("customer");
/** The session that a staff token refers to. A separate entity, because few functions may access staff records. */
export const StaffSessions = sessionEntity("staff");

const sessionsFor = (guard: Guard) => (guard === "staff" ? StaffSessions : CustomerSessions);

export function startSession(id: SessionId, session: Omit<Session, "session">): Write {
  return put(sessionsFor(id.guard), { ...id, ...session }, isNew);
}

/**
 * Moves one session to the account's new epoch, so that it stays valid while the account's other sessions end. The
 * write is refused if the session has ended.
 */
export function carrySession(id: SessionId, epoch: number): Write {
  return update(sessionsFor(id.guard), id, { set: { epoch } }, present("pk"));
}

/** Ends one session. Also succeeds if the session has already ended. */
export function endSession(id: SessionId): Write {
  return remove(sessionsFor(id.guard), id);
}

/** Whether a session is valid: it exists, has not expired, and its epoch is that of its active account. */
export function counts(
  session: Session | undefined,
  subject: { status: "active" | "disabled"; session_epoch: number } | undefined,
  now: Date,
): boolean {
  return (
    session !== undefined &&
    subject?.status === "active" &&
    subject.session_epoch === session.epoch &&
    Date.parse(session.expires_at) > now.getTime()
  );
}

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
