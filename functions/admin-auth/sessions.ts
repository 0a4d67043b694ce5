import * as z from "zod";
import { requireCredentials } from "#shared/auth/credentials.ts";
import { signIn } from "#shared/auth/sign-in.ts";
import { LoginInput } from "#shared/domain/credentials.ts";
import { StaffProfile } from "#shared/domain/staff.ts";
import { Timestamp } from "#shared/domain/text.ts";
import { sessionOf } from "#shared/http/guard.ts";
import { anyone, route, staff } from "#shared/http/route.ts";
import { endSession } from "#shared/storage/sessions.ts";
import { profileOf, stillThere } from "./caller.ts";
import type { Deps } from "./deps.ts";

const SignedIn = z.object({
  token: z.string().meta({ description: "For `Authorization: Bearer …`" }),
  token_type: z.literal("Bearer"),
  expires_at: Timestamp,
  user: StaffProfile,
});

export const logIn = route({
  method: "POST",
  path: "/admin/auth/login",
  summary: "Sign in to the back office",
  description:
    "A wrong password, an unknown email and a disabled user get the same answer after the same work. Failures are " +
    "limited by address, and by account and address; successes are not. After many failures an account takes logins " +
    "only from addresses that have signed in to it before. A completed password reset lifts both. The token is good for as long as the settings say, and for no customer's route.",
  access: anyone,
  limit: "login",
  request: {
    body: LoginInput.meta({
      example: { email: "owner@demo.test", password: "owner-demo-password" },
    }),
  },
  response: { status: 200, data: SignedIn },
  first: ({ body }, { staff, settings }: Deps) =>
    Promise.all([staff.findByEmail(body.email), settings.current()]),
  async handle({ body, first: [found, { security }], ip, now }, deps) {
    const { rates, keys, roles, table } = deps;
    const attempt = { guard: "staff", ip, rates, table, now } as const;
    const { account: user, admission } = await requireCredentials(body, found, attempt);
    const { id: subject, session_epoch: epoch, role } = user;
    const lifetime = security.staff_session_hours * 3_600;
    const who = { guard: "staff", subject, epoch, role } as const;
    const session = await signIn(who, keys, { ip, now, lifetime });
    const [{ permissions }] = await Promise.all([
      roles.get(role),
      table.transact(session.writes),
      admission.succeeded(),
    ]);
    const { token, expires_at } = session;
    return {
      data: {
        token,
        token_type: "Bearer" as const,
        expires_at,
        user: profileOf(user, permissions),
      },
      version: user.version,
    };
  },
});

export const logOut = route({
  method: "POST",
  path: "/admin/auth/logout",
  summary: "Sign out of the back office",
  description: "The token is dead at the very next request; other sessions go on.",
  access: staff(null),
  request: {},
  response: { status: 204 },
  async handle({ actor }, { table }: Deps) {
    await table.write(endSession(sessionOf(actor)));
  },
});

export const me = route({
  method: "GET",
  path: "/admin/auth/me",
  summary: "Which staff user is signed in",
  access: staff(null),
  request: {},
  response: { status: 200, data: StaffProfile },
  first: ({ actor }, { staff }: Deps) => staff.find(sessionOf(actor).subject),
  async handle({ first, permissions }) {
    const user = stillThere(first);
    return { data: profileOf(user, permissions), version: user.version };
  },
});
