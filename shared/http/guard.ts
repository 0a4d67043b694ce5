import {
  type Identity,
  type SessionState,
  type Claims,
  type Verdict,
  bearerToken,
} from "../auth/identity.ts";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { covers } from "../domain/staff/permission.ts";
import type { Actor } from "../domain/request/identity.ts";
import { AppError } from "../domain/request/app-error.ts";
import { admit, callerOf } from "../auth/rate-limit.ts";
import { type FrameDeps, type PipelineStep, awaitedLater, requiredPart } from "./pipeline-state.ts";
import type { RouteAccess, Route } from "./route.ts";

/** Reads the caller's claims, and refuses an invalid token. */
export const readToken: PipelineStep = async ({ event, internal }) => {
  const { route, deps, now } = internal;
  internal.claims = await claimsOf(route.access, event, identityFor(route, deps), now);
};

/** Starts to check the caller's session and permission. */
export const proveSession: PipelineStep = ({ internal }) => {
  const { route, deps, now, claims } = internal;
  if (!claims) return;
  const identity = identityFor(route, deps);
  internal.session = awaitedLater(prove(route.access, claims, identity, now));
};

const identityFor = ({ access }: Route, deps: FrameDeps): Identity | undefined =>
  access.guard === "staff" ? deps.staffIdentity : deps.customerIdentity;

/** Starts to count the request against the route's rate limit. */
export const countRequest: PipelineStep = ({ internal }) => {
  const { route, deps, ip, now } = internal;
  if (!route.limit) return;
  const rates = requiredPart(deps.rates, route, "rates");
  internal.admission = awaitedLater(admit(rates, route.limit, callerOf(ip), now));
};

/**
 * The claims of the request's token; undefined for a guest. Nothing is read from storage.
 *
 * @throws AppError `unauthenticated` when the token is invalid or belongs to the other guard, or a guest sends none of
 * the headers that the route requires
 */
async function claimsOf(
  access: RouteAccess,
  event: APIGatewayProxyEventV2,
  identity: Identity | undefined,
  now: Date,
): Promise<Claims | undefined> {
  const { guard } = access;
  switch (guard) {
    case "none":
      return undefined;
    case "optional": {
      const header = event.headers["authorization"];
      if (header === undefined) {
        if (access.guestSends?.every((name) => !event.headers[name])) {
          // The message with which API Gateway refuses callers of guarded routes.
          throw new AppError("unauthenticated", { message: "Unauthorized" });
        }
        return undefined;
      }
      if (!identity?.readToken)
        throw new TypeError(
          "A route with optional access needs a `customerIdentity` that reads tokens",
        );
      const token = bearerToken(header);
      const claims = token && (await identity.readToken(token, now));
      if (!claims) throw new AppError("unauthenticated");
      return claims;
    }
    case "customer":
    case "staff": {
      const verdict = verdictOn(event);
      if (verdict?.guard !== guard) throw new AppError("unauthenticated");
      return { ...verdict, role: verdict.role ?? null };
    }
  }
}

/**
 * Checks claims against the stored session and permissions.
 *
 * @throws AppError `unauthenticated` when the session has ended, `second_factor_enrolment_required`, `forbidden` when
 * the permission is missing
 */
async function prove(
  access: RouteAccess,
  claims: Claims,
  identity: Identity | undefined,
  now: Date,
): Promise<SessionState> {
  if (!identity)
    throw new TypeError(
      "A guarded route needs the `customerIdentity` or `staffIdentity` of its callers",
    );
  const session = await identity.sessionState(claims, now);
  if (!session) throw new AppError("unauthenticated");
  if (access.guard !== "staff") return session;
  if (session.mustEnrol && !access.beforeEnrolment) {
    throw new AppError("second_factor_enrolment_required");
  }
  if (access.permission === null) return session;
  const { permission, or = permission } = access;
  if (!covers(session.permissions, permission) && !covers(session.permissions, or)) {
    throw new AppError("forbidden", { details: { permission } });
  }
  return session;
}

export function actorOf(claims: Claims | undefined): Actor {
  return claims
    ? { kind: claims.guard, id: claims.subject, session: claims.session }
    : { kind: "guest" };
}

/** The authorizer's result. Only API Gateway can set it. */
function verdictOn(event: APIGatewayProxyEventV2): Verdict | undefined {
  // The event's type has no authorizer; ours returns a Verdict.
  const context = event.requestContext as { authorizer?: { lambda?: Verdict } };
  return context.authorizer?.lambda;
}
