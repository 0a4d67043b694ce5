import type { Guard } from "#shared/domain/request/identity.ts";
import type { VariableName } from "#shared/runtime/environment.ts";
import type { EntityName } from "#shared/storage/entity-name.ts";
import type { QueueName } from "./queues.ts";

/** Access to objects of a bucket, in the words of what a function does there. */
export interface BucketAccess {
  readonly view?: "read" | "write";
  /** Puts files where the world reads them. */
  readonly media?: "write";
  /** `fill`: signs the forms by which callers upload; `empty`: reads and removes uploads. */
  readonly quarantine?: "fill" | "empty";
  /** `read`: signs links to exports. */
  readonly exports?: "read" | "write";
  /** Files that customers send; `read`: signs links to them. */
  readonly inboxFiles?: "read" | "write";
  /** Stores changes that failed, itself or through Lambda. */
  readonly failedChanges?: "write";
}
export type BucketName = keyof BucketAccess;

/** The signing keys of a guard's tokens, or the keys that encrypt secrets in the table. */
export type SecretName = Guard | "settings";

/**
 * What a function may do. IAM policies follow from it, and a test holds what functions do against it: nothing
 * undeclared is done, and nothing is declared in vain.
 */
export interface Permissions {
  /** Entities that it gets, queries, or checks in a transaction. */
  readonly reads?: readonly EntityName[];
  /** Entities that it puts, updates or deletes. What it reads as well is in `reads`, too. */
  readonly writes?: readonly EntityName[];
  readonly buckets?: BucketAccess;
  /** Queues that it sends to. */
  readonly queues?: readonly QueueName[];
  /** Secrets that it reads. */
  readonly secrets?: readonly SecretName[];
  /** Secrets whose values it replaces. */
  readonly rotates?: readonly Guard[];
  /** Sends mail in the shop's name. */
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
   * How many of it run at most at a time, and always may: where abuse would take the account's concurrency from the
   * others, or two at once would be in each other's way.
   */
  readonly reservedConcurrency?: number;
  readonly environment: readonly VariableName[];
  readonly permissions: Permissions;
  /** npm packages that travel beside the bundle as they are, because part of them is machine code. */
  readonly packages?: readonly string[];
}
