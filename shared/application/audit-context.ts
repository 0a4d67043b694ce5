import type { ExpectedVersion } from "#shared/domain/request/app-error.ts";
import type { AuditContext } from "../storage/staff/activity.ts";
import type { Actor } from "../domain/request/identity.ts";

/** A request that the activity log records. */
export interface AuditedCall {
  readonly actor: Actor;
  readonly requestId: string;
  readonly now: Date;
}

/**
 * The call of a change of one record: its keys in the path, the version that the caller expects, and the change.
 */
export interface EditCall<Body, Key extends string = "id"> extends AuditedCall {
  readonly params: Readonly<Record<Key, string>>;
  readonly headers: { readonly "if-match"?: ExpectedVersion };
  readonly body: Body;
}

/** The audit context of a request, for the activity log. Only for routes that require a staff user. */
export function auditContextOf({ actor, requestId, now }: AuditedCall): AuditContext {
  if (actor.kind !== "staff") throw new TypeError("Expected a staff user");
  return { actor, requestId, now };
}
