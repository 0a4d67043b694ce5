import type { Claims } from "./claims.ts";

/** Knows whose tokens are to be believed and which sessions still count. */
export interface Identity {
  /** What a customer's token says; undefined when it is not to be believed. Needed where a route is `optional`. */
  readToken?(token: string, now: Date): Promise<Claims | undefined>;
  /** What the subject may do at this moment; undefined when the session is over. One strongly consistent step. */
  standing(claims: Claims, now: Date): Promise<Standing | undefined>;
}

export interface Standing {
  /** Grants of a staff user's role. */
  readonly permissions: readonly string[];
  /** The role requires a second factor, and the user has none yet. */
  readonly mustEnrol?: true;
}
