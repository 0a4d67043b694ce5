import { openStaff } from "#shared/storage/staff/staff.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { requireAccount } from "#shared/application/identity/account.ts";
import { signOut } from "#shared/application/identity/end-session.ts";
import { signInStaffUser } from "#shared/application/staff/sign-in-staff.ts";
import { StaffLoginInput } from "#shared/domain/staff/second-factor.ts";
import { StaffProfile, staffProfile } from "#shared/domain/staff/staff.ts";
import { Timestamp } from "#shared/domain/base/text.ts";
import { sessionOf } from "#shared/domain/request/identity.ts";
import { anyone, route, staffBeforeEnrolment } from "#shared/http/route.ts";

const SignedIn = z.object({
  token: z.string().meta({ description: "Send it as `Authorization: Bearer …`" }),
  token_type: z.literal("Bearer"),
  expires_at: Timestamp,
  user: StaffProfile,
});

export const logIn = route({
  method: "POST",
  path: "/admin/auth/login",
  summary: "Sign in to the back office",
  description:
    "A wrong password, an unknown email and a disabled user get the same response with the same " +
    "timing. Failed logins are limited per IP address, and per account and IP address. After many " +
    "failures an account accepts logins only from IP addresses of earlier logins. A completed " +
    "password reset lifts the limits of the account. A user with a second factor also sends its " +
    "`code`; without it a correct password returns 401 `second_factor_required` and counts as a failure. The " +
    "settings determine how long the token is valid. It is not accepted by customer routes.",
  access: anyone,
  limit: "login",
  parsesEarly: true,
  request: {
    body: StaffLoginInput.meta({
      example: { email: "owner@demo.test", password: "owner-demo-password" },
    }),
  },
  response: { status: 200, data: SignedIn, headers: ["ETag"] },
  errors: ["second_factor_required"],
  first: (
    { body },
    {
      table,
      settings,
    }: Shop<"table" | "rates" | "settings" | "settingsKeys" | "staffKeys", "security" | "store">,
  ) => Promise.all([openStaff(table).findEmail(body.email), settings.current()]),
  async handle(call, shop) {
    const [claim, { security }] = call.first;
    const { user, permissions, ...token } = await signInStaffUser(call, { claim, security }, shop);
    const data = { ...token, token_type: "Bearer" as const, user: staffProfile(user, permissions) };
    return { data, version: user.version };
  },
});

export const logOut = route({
  method: "POST",
  path: "/admin/auth/logout",
  summary: "Sign out of the back office",
  description: "The token stops working immediately. Other sessions continue.",
  access: staffBeforeEnrolment,
  request: {},
  response: { status: 204 },
  handle: (call, shop: Shop<"table">) => signOut(call, shop),
});

export const getMe = route({
  method: "GET",
  path: "/admin/auth/me",
  summary: "Get the signed-in staff user",
  description:
    "Includes the user's current permissions. Also works before a required second factor is set up.",
  access: staffBeforeEnrolment,
  request: {},
  response: { status: 200, data: StaffProfile },
  first: ({ actor }, { table }: Shop<"table">) => openStaff(table).find(sessionOf(actor).subject),
  async handle({ first, permissions }) {
    const user = requireAccount(first);
    return { data: staffProfile(user, permissions), version: user.version };
  },
});

export const routes = [logIn, logOut, getMe];
