import * as z from "zod";
import { changedStaffUser } from "#shared/domain/staff/staff.ts";
import { AppError, requireVersion } from "#shared/domain/request/app-error.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { unchangedRole } from "#shared/storage/staff/roles.ts";
import { removeSecondFactor } from "#shared/storage/staff/second-factors.ts";
import { replaceStaffUser } from "#shared/storage/staff/staff.ts";
import { requirePermissionsOf } from "./privilege-escalation.ts";
import type { Deps } from "./deps.ts";
import { known } from "./users.ts";

export const resetSecondFactor = route({
  method: "DELETE",
  path: "/admin/users/{id}/totp",
  summary: "Reset another staff user's second factor",
  description:
    "Helps a user who has lost the authenticator app. The caller must have every permission of " +
    "the user's role. Your own second factor is removed with `DELETE /admin/auth/totp`.",
  access: staff("staff.edit"),
  request: {
    params: z.object({ id: z.string().max(60) }),
    headers: z.object({ "if-match": IfMatch }),
  },
  response: { status: 204 },
  errors: ["version_mismatch"],
  first: ({ params }, { staff }: Deps) => staff.find(params.id),
  async handle(call, deps) {
    const audit = auditContextOf(call);
    if (call.params.id === audit.actor.id) {
      throw new AppError("forbidden", {
        message: "Remove your own second factor with your password and a code.",
      });
    }
    await retryOnConflict(
      call.first,
      () => deps.staff.find(call.params.id),
      async (found) => {
        const before = known(found);
        const role = await deps.roles.get(before.role);
        requirePermissionsOf(call.permissions, role);
        requireVersion(call.headers["if-match"], before.version);
        if (before.second_factor_at === null) return;
        const after = changedStaffUser(before, { second_factor_at: null }, call.now);
        const target = { kind: "staff", id: after.id, label: after.name };
        await deps.table.transact([
          removeSecondFactor(before.id),
          replaceStaffUser(before, after),
          unchangedRole(role),
          recordActivity(audit, "staff.reset_second_factor", target, { before, after }),
        ]);
      },
    );
  },
});

export const routes = [resetSecondFactor];
