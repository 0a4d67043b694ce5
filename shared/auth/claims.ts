import type { Guard } from "../domain/request/identity.ts";

/** What a token says once its signature has been believed. Whether its session still lives is another question. */
export interface Claims {
  readonly guard: Guard;
  /** Id of the customer or staff user. */
  readonly subject: string;
  readonly session: string;
  /** A staff user's role when the token was made: a hint for the first read. */
  readonly role: string | null;
}

/** Why a token was not believed; for logs, never for callers. */
export type Distrust = "malformed" | "expired" | "unknown_key" | "wrong_signature" | "wrong_claims";

/** What the authorizer says about a caller, in the form that API Gateway hands on: text only, no nulls. */
export type Verdict =
  | {
      readonly guard: Guard;
      readonly subject: string;
      readonly session: string;
      readonly role?: string;
    }
  | { readonly guard: "anonymous"; readonly reason: Distrust };

/** The token of an `Authorization` header; undefined where it is not of the form `Bearer …`. */
export function bearerToken(authorization: string): string | undefined {
  return /^Bearer ([A-Za-z0-9._~+/=-]{1,4096})$/i.exec(authorization)?.[1];
}
