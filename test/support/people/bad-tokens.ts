import { randomBytes } from "node:crypto";
import type { Guard } from "#shared/domain/request/identity.ts";
import { endSession } from "#shared/storage/staff/sessions.ts";
import { type TokenParts, forgeToken, unsigned } from "../http/identity.ts";
import { type World, signedIn } from "./people.ts";

const otherGuard: Record<Guard, Guard> = { customer: "staff", staff: "customer" };

/** The `Authorization` headers that a route must refuse, by what is wrong. Most of the tokens name a valid session. */
export const badTokens: Record<string, (world: World, guard: Guard) => Promise<string>> = {
  garbage: async () => "Bearer garbage",
  "that is empty": async () => "Bearer ",
  "another scheme": async () => "Basic YXNoYTpzZWNyZXQ=",
  "no scheme": async (world, guard) => (await signedIn(world, guard)).token,
  "two tokens": async (world, guard) => {
    const { token } = await signedIn(world, guard);
    return `Bearer ${token} ${token}`;
  },
  expired: forged({ now: new Date("2026-01-01T00:00:00.000Z") }),
  "without an expiry": forged({ claims: { exp: undefined } }),
  "signed by an unknown key under a known key id": async (world, guard) => {
    const { kid } = world.keys[guard].current;
    return forged({ key: { kid, secret: randomBytes(32).toString("base64url") } })(world, guard);
  },
  "signed by the other guard's key": async (world, guard) =>
    forged({ key: world.keys[otherGuard[guard]].current })(world, guard),
  "signed by the other guard's key under this guard's key id": async (world, guard) => {
    const { kid } = world.keys[guard].current;
    const { secret } = world.keys[otherGuard[guard]].current;
    return forged({ key: { kid, secret } })(world, guard);
  },
  "not signed": async (world, guard) => {
    const token = forged({})(world, guard).then((header) => header.slice("Bearer ".length));
    return `Bearer ${await unsigned(token)}`;
  },
  "of another type": forged({ header: { typ: "JWT" } }),
  "of another issuer": forged({ claims: { iss: "elsewhere" } }),
  "for both guards": forged({ claims: { aud: ["storefront", "back-office"] } }),
  "the other guard's": async (world, guard) =>
    `Bearer ${(await signedIn(world, otherGuard[guard])).token}`,
  "of an ended session": async (world, guard) => {
    const { token, claims } = await signedIn(world, guard);
    await world.table.write(endSession(claims));
    return `Bearer ${token}`;
  },
  "from before the password changed": async (world, guard) =>
    `Bearer ${(await signedIn(world, guard, { session_epoch: 2 })).token}`,
  "of a disabled user": async (world, guard) =>
    `Bearer ${(await signedIn(world, guard, { status: "disabled" })).token}`,
  "of a user who does not exist": async (world, guard) => {
    const { claims } = await signedIn(world, guard);
    return bearer(world, guard, { session: claims.session, subject: "cus_none" });
  },
  "with the session of another user": async (world, guard) => {
    const [mine, theirs] = [await signedIn(world, guard), await signedIn(world, guard)];
    const { subject } = mine.claims;
    return bearer(world, guard, { subject, session: theirs.claims.session });
  },
};

/** A token of a signed-in user with these parts changed. */
function forged(parts: TokenParts) {
  return async (world: World, guard: Guard): Promise<string> => {
    const { subject, session } = (await signedIn(world, guard)).claims;
    return bearer(world, guard, { subject, session, ...parts });
  };
}

async function bearer({ keys }: World, guard: Guard, parts: TokenParts): Promise<string> {
  return `Bearer ${await forgeToken({ guard, key: keys[guard].current, ...parts })}`;
}
