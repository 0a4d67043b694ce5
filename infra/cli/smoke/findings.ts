import type { Schemas } from "#shared/client/index.js";
import { wait } from "#shared/runtime/pause.ts";
import { timeoutOf } from "#shared/runtime/timeouts.ts";
import { Skipped, WrongAnswer } from "./deployment.ts";

/** What the operator can set for a run. */
export interface SmokeOptions {
  /** A postal code that the shop delivers to, in its own country; undefined where the country has none. */
  readonly postalCode: string | undefined;
  readonly staff: StaffCredentials | undefined;
}

export interface StaffCredentials {
  readonly email: string;
  readonly password: string;
  /** Base32 secret of the authenticator app, if the user has a second factor. */
  readonly totpSecret: string | undefined;
}

/** Results of earlier steps that later steps need. */
export interface Findings {
  readonly options: SmokeOptions;
  /** Whether the address is that of a shop. */
  isShop?: true;
  bootstrap?: Schemas["Bootstrap"];
  /** A product in stock. */
  sku?: string;
  cartToken?: string;
  signedIn?: true;
  order?: { readonly id: string; readonly number: string };
}

/** Returns a result of an earlier step. @throws Skipped with the text `otherwise` if that step has no result */
export function needed<Value>(value: Value | undefined, otherwise: string): Value {
  if (value === undefined) throw new Skipped(otherwise);
  return value;
}

const limitMs = 60_000;

/**
 * Repeats a request every second until the consumers have processed a write.
 *
 * @param ask returns undefined while the result is not there yet
 * @throws WrongAnswer after a minute
 */
export async function eventually<Value>(
  what: string,
  ask: () => Promise<Value | undefined>,
): Promise<Value> {
  const deadline = performance.now() + timeoutOf(limitMs);
  for (;;) {
    const value = await ask();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new WrongAnswer(`${what} within a minute`);
    await wait(1000);
  }
}
