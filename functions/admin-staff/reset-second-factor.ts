import { openStaff } from "#shared/storage/staff/staff.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { resetSecondFactorOf } from "#shared/application/staff/change-staff-user.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { route, staff } from "#shared/http/route.ts";

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
  first: ({ params }, { table }: Shop<"table">) => openStaff(table).find(params.id),
  async handle(call, shop) {
    await resetSecondFactorOf(call, call.first, shop);
  },
});

export const routes = [resetSecondFactor];
