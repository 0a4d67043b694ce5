import type { AuditContext } from "../storage/staff/activity.ts";
import type { Actor } from "../domain/request/identity.ts";

/** Who does something in a call, for the activity log; for routes that staff alone reach. */
export function auditContextOf({
  actor,
  requestId,
  now,
}: {
  readonly actor: Actor;
  readonly requestId: string;
  readonly now: Date;
}): AuditContext {
  if (actor.kind !== "staff") throw new TypeError("Only staff reach this");
  return { actor, requestId, now };
}
