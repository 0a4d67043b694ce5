import { openStaff } from "#shared/storage/staff/staff.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { changeOwnProfile } from "#shared/application/staff/change-own-profile.ts";
import { requireUser } from "#shared/application/staff/use-second-factor.ts";
import { sessionOf } from "#shared/domain/request/identity.ts";
import { StaffProfile, StaffProfileInput } from "#shared/domain/staff/staff.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { route, staff } from "#shared/http/route.ts";
import { profileOf } from "./caller.ts";

export const changeProfile = route({
  method: "PATCH",
  path: "/admin/auth/profile",
  summary: "Update your name, phone, email or password",
  description:
    "A new email or password requires the current password. A new email is stored as " +
    "`pending_email` until the link mailed to it is followed; sending the current email cancels " +
    "the change. A new password ends every other session. Common and leaked passwords are " +
    "refused.",
  access: staff(null),
  request: {
    headers: z.object({ "if-match": IfMatch }),
    body: StaffProfileInput.meta({ example: { name: "Meera Iyer" } }),
  },
  response: { status: 200, data: StaffProfile },
  errors: ["version_mismatch", "too_many_requests"],
  first: ({ actor }, { table }: Shop<"table" | "randomBytes" | "rates" | "settings", "security">) =>
    openStaff(table).find(sessionOf(actor).subject),
  async handle(call, shop) {
    const saved = await changeOwnProfile(call, requireUser(call.first), shop);
    return { data: profileOf(saved, call.permissions), version: saved.version };
  },
});

export const routes = [changeProfile];
