import type { Claims } from "./claims.ts";

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
