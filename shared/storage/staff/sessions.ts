import * as z from "zod";
import type { Guard, SessionId } from "../../domain/request/identity.ts";
import { Timestamp } from "../../domain/base/text.ts";
import { isNew, present } from "../conditions.ts";
import { entity } from "../entity.ts";
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
