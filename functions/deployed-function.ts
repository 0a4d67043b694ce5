import type { Guard } from "#shared/domain/request/identity.ts";
import type { VariableName } from "#shared/runtime/environment.ts";
import type { EntityName } from "#shared/storage/entity-name.ts";
import type { QueueName } from "./queues.ts";

/** Access to the objects of each bucket, named by use. */
export interface BucketAccess {
  readonly index?: "read" | "write";
  /** Writes public files. */
  readonly media?: "write";
  /** `fill`: signs upload forms; `empty`: reads and deletes uploads. */
  readonly quarantine?: "fill" | "empty";
  /** `read`: signs links to exports. */
  readonly exports?: "read" | "write";
  /** Files that customers send; `read`: signs links to them. */
  readonly inboxFiles?: "read" | "write";
  /** `write`: the function stores failed changes, or Lambda stores them with the function's permissions. */
  readonly failedChanges?: "write";
  /** Adds ids of erased customers to the ledger. */
  readonly erasedIds?: "write";
}
export type BucketName = keyof BucketAccess;

/**
 * A secret in Secrets Manager: the signing keys of a guard's tokens, or (`settings`) the keys that encrypt secrets in
 * the table.
 */
export type SecretName = Guard | "settings";

/**
 * Permissions of a function. Its IAM policy is derived from them. A test compares them with the function's actual
 * calls and fails on missing and unused permissions.
 */
export interface Permissions {
  /** Entities that it gets, queries, or checks in a transaction. */
  readonly reads?: readonly EntityName[];
  /** Entities that it puts, updates or deletes. Entities that it also reads are listed in `reads`, too. */
  readonly writes?: readonly EntityName[];
  readonly buckets?: BucketAccess;
  /** Queues that it sends to. */
  readonly queues?: readonly QueueName[];
  /** Secrets that it reads. */
  readonly secrets?: readonly SecretName[];
  /** Secrets that it rotates. */
  readonly rotates?: readonly Guard[];
  /** Sends mail from the shop's address. */
  readonly mails?: true;
}

/** A Lambda, whatever its event source. */
export interface DeployedFunction {
  readonly name: string;
  /** Path of the bundle's entry from the root; it exports `handler`. */
  readonly entry: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /**
   * Reserved concurrency: both the maximum and a guarantee. Set where abuse could use up the account's concurrency,
   * where a sale needs it while other functions are busy, or where concurrent runs would conflict.
   */
  readonly reservedConcurrency?: number;
  readonly environment: readonly VariableName[];
  readonly permissions: Permissions;
  /** npm packages that are deployed beside the bundle, because they contain native code. */
  readonly packages?: readonly string[];
}
