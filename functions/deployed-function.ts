import type { Guard } from "#shared/domain/request/identity.ts";
import type { VariableName } from "#shared/runtime/environment.ts";
import type { EntityName } from "#shared/storage/entity-name.ts";
import type { QueueName } from "./queues.ts";

/** The function's access to the objects of each bucket. Buckets are named by their use. */
export interface BucketAccess {
  readonly index?: "read" | "write";
  /** Public files. */
  readonly media?: "read" | "write";
  /** `fill`: signs upload forms; `empty`: reads and deletes uploads. */
  readonly quarantine?: "fill" | "empty";
  /** `read`: signs links to exports. */
  readonly exports?: "read" | "write";
  /** Files that customers send; `read`: signs links to them. */
  readonly inboxFiles?: "read" | "write";
  /** PDFs of orders and quotes; `read`: signs links to them, and attaches them to mails. */
  readonly documents?: "read" | "write";
  /** `write`: the function stores failed changes, or Lambda stores them with the function's permissions. */
  readonly failedChanges?: "write";
  /** The function adds ids of erased customers to the ledger. */
  readonly erasedIds?: "write";
}
export type BucketName = keyof BucketAccess;

/**
 * A secret in Secrets Manager: the signing keys of a guard's tokens, or (`settings`) the keys that encrypt secrets in
 * the table.
 */
export type SecretName = Guard | "settings";

/**
 * Permissions of a function. The function's IAM policy is derived from them. A test compares them with the function's
 * actual calls, and fails if a permission is missing or unused.
 */
export interface Permissions {
  /** Entities that the function gets, queries, or checks in a transaction. */
  readonly reads?: readonly EntityName[];
  /** Entities that the function puts, updates or deletes. Those that it also reads are listed in `reads`, too. */
  readonly writes?: readonly EntityName[];
  readonly buckets?: BucketAccess;
  /** Queues that the function sends to. */
  readonly queues?: readonly QueueName[];
  /** Secrets that the function reads. */
  readonly secrets?: readonly SecretName[];
  /** Secrets that the function rotates. */
  readonly rotates?: readonly Guard[];
  /** Whether the function sends mail from the shop's address. */
  readonly mails?: true;
}

/** A Lambda function of the deployment, with any event source. */
export interface DeployedFunction {
  readonly name: string;
  /** Path of the source file that exports `handler`, from the repository's root. */
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
