import type { Shop } from "#shared/application/shop.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { type Actor, sessionOf } from "#shared/domain/request/identity.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { type Session, endSession } from "#shared/storage/staff/sessions.ts";

/** Signs the caller out: the token of the request stops working. */
export async function signOut(
  { actor }: { readonly actor: Actor },
  { table }: Shop<"table">,
): Promise<void> {
  await table.write(endSession(sessionOf(actor)));
}

/**
 * Ends one of the caller's sessions by its id.
 *
 * @param found the session, as the request has read it
 * @throws AppError `not_found`
 */
export async function endOneSession(
  call: AuditedCall & { readonly params: { readonly id: string } },
  found: Session | undefined,
  { table }: Shop<"table">,
): Promise<void> {
  if (!found) throw new AppError("not_found", { message: "You have no session with this id." });
  const own = { ...sessionOf(call.actor), session: call.params.id };
  const target = { kind: "staff", id: own.subject, label: `Session ${own.session}` };
  await table.transact([
    endSession(own),
    recordActivity(auditContextOf(call), "staff.end_session", target),
  ]);
}
