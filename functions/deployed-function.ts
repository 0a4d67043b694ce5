import type { PartName } from "#shared/application/shop.ts";
import type { SettingsGroup } from "#shared/domain/settings/settings.ts";
import type { Guard } from "#shared/domain/request/identity.ts";
import type { VariableName } from "#shared/runtime/environment.ts";
import { type TableGrants, recordedGrants } from "./grants.ts";
import { type QueueName, queues } from "./queues.ts";

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
  readonly inboxFiles?: "read" | "write" | "move";
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
export type KeySecretName = Guard | "links" | "settings";

/** A queue that functions send to. SES fills the queue of its events. */
type SendableQueue = Exclude<QueueName, "mail-events">;

/**
 * Permissions of a function. The function's IAM policy is derived from them. A test compares them with the function's
 * actual calls, and fails if a permission is missing or unused.
 */
export interface Permissions extends TableGrants {
  readonly buckets?: BucketAccess;
  /** Queues that the function sends to. */
  readonly queues?: readonly SendableQueue[];
  /** Secrets that the function reads. */
  readonly secrets?: readonly KeySecretName[];
  /** Secrets that the function rotates. */
  readonly rotates?: readonly Guard[];
  /** Whether the function sends mail from the shop's address. */
  readonly mails?: true;
}

/** A part of a function. The part `settings` follows from the groups that the manifest names. */
export type ManifestPart = Exclude<PartName, "settings"> | "everyRoute" | "openapi" | "shopFacts";

/** A Lambda function of the deployment, with any event source. */
export interface DeployedFunction {
  readonly name: string;
  /** Path of the generated file that exports `handler`, from the repository's root. */
  readonly entry: string;
  /** What the function works with. Its entry opens these parts and no others. */
  readonly parts: readonly ManifestPart[];
  /** The groups of its part `settings`; the function has that part if this is set. */
  readonly settings?: readonly SettingsGroup[];
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /**
   * Reserved concurrency: both the maximum and a guarantee. Set where abuse could use up the account's concurrency,
   * where a sale needs it while other functions are busy, or where concurrent runs would conflict.
   */
  readonly reservedConcurrency?: number;
  /** Variables that do not follow from the permissions; `environmentOf` returns all. */
  readonly environment?: readonly VariableName[];
  readonly permissions: Permissions;
  /** npm packages that are deployed beside the bundle, because they contain native code. */
  readonly packages?: readonly string[];
}

/** A function as the manifest declares it. The rest follows from its name. */
export type Declared<Deployed extends DeployedFunction = DeployedFunction> = Omit<
  Deployed,
  "entry" | "permissions"
> & { readonly permissions?: Omit<Permissions, keyof TableGrants> };

/** A declared function with its generated entry and its recorded permissions for the table. */
export const deployed = <Function extends Declared>(declared: Function) => ({
  ...declared,
  entry: `infra/generated/entries/${declared.name}.ts`,
  permissions: { ...declared.permissions, ...recordedGrants[declared.name] },
});

const bucketVariables = {
  index: "INDEX_BUCKET",
  media: "MEDIA_BUCKET",
  quarantine: "QUARANTINE_BUCKET",
  exports: "EXPORTS_BUCKET",
  inboxFiles: "INBOX_BUCKET",
  documents: "DOCUMENTS_BUCKET",
  failedChanges: "FAILED_CHANGES_BUCKET",
  erasedIds: "ERASED_IDS_BUCKET",
} as const satisfies Readonly<Record<BucketName, VariableName>>;

/** The variables that name the buckets, with their values. */
export function bucketValues(nameOf: (bucket: BucketName) => string) {
  const names = Object.keys(bucketVariables) as BucketName[];
  const values = names.map((name) => [bucketVariables[name], nameOf(name)]);
  return Object.fromEntries(values) as Record<(typeof bucketVariables)[BucketName], string>;
}

/** The variable of a queue's address, such as `INBOX_FILES_QUEUE_URL` of `inbox-files`. */
type QueueVariable<Name extends string> = `${UpperSnake<Name>}_QUEUE_URL`;
type UpperSnake<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Uppercase<Word>}_${UpperSnake<Rest>}`
  : Uppercase<Name>;
const queueVariable = (name: SendableQueue) =>
  `${name.toUpperCase().replaceAll("-", "_")}_QUEUE_URL` as QueueVariable<SendableQueue>;

/** The variables with the addresses of the queues, with their values. */
export function queueValues(addressOf: (queue: SendableQueue) => string) {
  const names = (Object.keys(queues) as QueueName[]).filter((name) => name !== "mail-events");
  const values = names.map((name) => [queueVariable(name), addressOf(name)]);
  return Object.fromEntries(values) as Record<QueueVariable<SendableQueue>, string>;
}

const keyVariables = {
  customer: ["CUSTOMER_TOKEN_KEYS", "CUSTOMER_TOKEN_SECRET"],
  staff: ["STAFF_TOKEN_KEYS", "STAFF_TOKEN_SECRET"],
  links: ["LINK_KEYS", "LINK_SECRET"],
  settings: ["SETTINGS_KEYS", "SETTINGS_SECRET"],
} as const satisfies Readonly<Record<KeySecretName, readonly [VariableName, VariableName]>>;

/** The environment variables of a function: those that follow from what it uses, and those that it declares. */
export function environmentOf({
  parts,
  permissions,
  environment = [],
}: Pick<DeployedFunction, "parts" | "permissions" | "environment">): readonly VariableName[] {
  const { buckets = {}, queues = [], secrets = [], rotates = [], mails } = permissions;
  // Not the recorded permissions: they are recorded when the function runs, with these variables.
  const opensTable = parts.some((part) => part === "table" || part === "shopFacts");
  const bucketNames = Object.keys(buckets) as BucketName[];
  // Upload forms are signed without a request to S3.
  const callsS3 = bucketNames.some((name) => buckets[name] !== "fill");
  return [
    ...(opensTable ? (["TABLE_NAME", "DYNAMODB_ENDPOINT"] as const) : []),
    ...bucketNames.map((name) => bucketVariables[name]),
    ...(buckets.quarantine === "fill" ? (["UPLOAD_URL"] as const) : []),
    ...(callsS3 ? (["S3_ENDPOINT"] as const) : []),
    ...queues.map(queueVariable),
    ...(queues.length > 0 ? (["SQS_ENDPOINT"] as const) : []),
    ...secrets.flatMap((name) => keyVariables[name]),
    ...rotates.map((name) => keyVariables[name][1]),
    ...(mails ? (["SES_ENDPOINT", "MAIL_FROM", "MAIL_CONFIGURATION_SET"] as const) : []),
    ...environment,
  ];
}
