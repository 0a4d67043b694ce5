import type { Shop } from "#shared/application/shop.ts";
import { openStaff, countOwners, replaceStaffUser } from "#shared/storage/staff/staff.ts";
import { linkIsDead } from "#shared/application/identity/mailed-links.ts";
import { type StaffChanges, type StaffUser, changedStaffUser } from "#shared/domain/staff/staff.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { type Proof, spendProof } from "#shared/storage/customer/proofs.ts";
import type { Write } from "#shared/storage/writes.ts";

/**
 * The effect of a mailed token: changes of the staff user, further writes, and the action's name in the activity log.
 */
interface Use {
  readonly action: string;
  readonly changes: StaffChanges;
  readonly writes: readonly Write[];
}

/**
 * Uses up a mailed token and applies its effect in one transaction. The activity log names the user as the author. A
 * new password or disabling the user invalidates earlier links.
 *
 * @param plan returns the token's effect; undefined if the link is no longer valid
 * @throws AppError `validation_failed` on `token` if the link is no longer valid, or if a write of the plan is refused
 */
export async function useProof(
  { token, proof, requestId, now }: { token: string; proof: Proof; requestId: string; now: Date },
  { table }: Shop<"table">,
  plan: (user: StaffUser) => Use | undefined,
): Promise<void> {
  const read = () => openStaff(table).find(proof.subject);
  const spend = spendProof(token);
  await retryOnConflict(await read(), read, async (before) => {
    const counts = before?.status === "active" && before.session_epoch === proof.epoch;
    const use = counts ? plan(before) : undefined;
    if (!before || !use) throw linkIsDead();
    const after = changedStaffUser(before, use.changes, now);
    const target = { kind: "staff", id: after.id, label: after.name };
    const audit = { actor: after, requestId, now };
    await table.transact([
      ...[spend, ...use.writes].map((write) => ({ write, refused: linkIsDead })),
      replaceStaffUser(before, after),
      ...countOwners(before, after),
      recordActivity(audit, use.action, target, { before, after }),
    ]);
  });
}
