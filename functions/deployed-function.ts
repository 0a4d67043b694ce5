import type { Guard } from "#shared/auth/claims.ts";
import type { VariableName } from "#shared/runtime/environment.ts";
import type { QueueName } from "./queues.ts";

/** Rows that few may change, by the beginnings of their `pk`: whoever could write them could give themselves the shop. */
export const keptRows = {
  staff: ["STAFF#", "EMAIL#staff#", "ROLES", "OWNERS"],
  settings: ["SETTINGS", "SECRETS#"],
} as const satisfies Record<string, readonly string[]>;
export type KeptRows = keyof typeof keptRows;

/** What a function may touch; CDK turns it into grants and the local stack into environment. */
export interface Reach {
  /** `write` includes reading. Either is within the partitions of what is in the function's bundle. */
  table?: "read" | "write";
  /** Rows that it alone, with others that say so, may write. */
  keeps?: readonly KeptRows[];
  view?: "read" | "write";
  /** Puts files where the world reads them. */
  media?: "write";
  /** `fill`: lets callers put files in, in its name; `empty`: reads and removes them. */
  quarantine?: "fill" | "empty";
  /** `read`: hands out links to what is there; `write`: puts it there. */
  exports?: "read" | "write";
  /** Files that customers send; `read`: hands out links to them; `write`: stores and removes them. */
  inboxFiles?: "read" | "write";
  /** Stores changes that it could not deal with, or has Lambda store them. */
  failedChanges?: "write";
  sendsTo?: readonly QueueName[];
  /** Sends mail in the shop's name. */
  mails?: true;
  /** The guards whose signing keys it reads: to mint their tokens, or to verify them itself. */
  signingKeys?: readonly Guard[];
  /** The guards whose signing keys it replaces; it mints nothing. */
  rotates?: readonly Guard[];
  /** Reads or writes secrets of the settings. */
  settingsKeys?: true;
}

/** A Lambda, whatever calls it. */
export interface DeployedFunction {
  readonly name: string;
  /** Path of the bundle's entry from the root; it exports `handler`. */
  readonly entry: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /**
   * How many of it run at most at a time, and always may: where abuse would take the account's concurrency from the
   * others, or two at once would be in each other's way.
   */
  readonly atOnce?: number;
  readonly environment: readonly VariableName[];
  readonly reach: Reach;
  /** npm packages that travel beside the bundle as they are, because part of them is machine code. */
  readonly packages?: readonly string[];
  /** npm packages that our own modules load by `import()`: files of their own beside the bundle, read when wanted. */
  readonly later?: readonly string[];
}
