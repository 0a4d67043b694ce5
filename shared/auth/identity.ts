import type { Guard } from "../domain/request/identity.ts";

/** The contents of a token after its signature was verified. The token's session may have ended. */
export interface Claims {
  readonly guard: Guard;
  /** Id of the customer or staff user. */
  readonly subject: string;
  readonly session: string;
  /**
   * A staff user's role when the token was issued. It only tells which role to read first; permissions come from the
   * user's current role.
   */
  readonly role: string | null;
}

/** Why a token was refused; for logs, never for callers. */
export type Distrust = "malformed" | "expired" | "unknown_key" | "wrong_signature" | "wrong_claims";

/** The authorizer's result, in the form that API Gateway passes on: strings only, no nulls. */
export type Verdict =
  | {
      readonly guard: Guard;
      readonly subject: string;
      readonly session: string;
      readonly role?: string;
    }
  | { readonly guard: "anonymous"; readonly reason: Distrust };

/** The token of an `Authorization` header; undefined unless it has the form `Bearer …`. */
export function bearerToken(authorization: string): string | undefined {
  return /^Bearer ([A-Za-z0-9._~+/=-]{1,4096})$/i.exec(authorization)?.[1];
}

/** Verifies tokens and sessions. */
export interface Identity {
  /**
   * The claims of a customer's token; undefined if it is invalid. Required if one of the function's routes has the
   * access `optional`.
   */
  readToken?(token: string, now: Date): Promise<Claims | undefined>;
  /**
   * The subject's session state and permissions; undefined if the session has ended. All reads are strongly consistent.
   */
  sessionState(claims: Claims, now: Date): Promise<SessionState | undefined>;
}

export interface SessionState {
  /** The permissions of a staff user's role. */
  readonly permissions: readonly string[];
  /** The highest discount that the staff user may give, in basis points. */
  readonly maxDiscountBps?: number;
  /** True if the role requires a second factor and the user has none yet. */
  readonly mustEnrol?: true;
}
