import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { BucketName, Permissions, SecretName } from "#functions/deployed-function.ts";
import type { Entity } from "#shared/storage/entity.ts";
import type { DataStack } from "./data-stack.ts";
import { tableGrants } from "./table-grants.ts";

export const bucketActions = {
  index: {
    read: ["s3:GetObject"],
    write: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
  },
  media: { write: ["s3:PutObject", "s3:DeleteObject"] },
  quarantine: {
    // A signed form has its signer's permissions.
    fill: ["s3:PutObject"],
    empty: ["s3:GetObject", "s3:DeleteObject"],
  },
  exports: {
    // A signed link has its signer's permissions.
    read: ["s3:GetObject"],
    write: ["s3:GetObject", "s3:PutObject", "s3:AbortMultipartUpload"],
  },
  inboxFiles: {
    read: ["s3:GetObject"],
    write: ["s3:PutObject", "s3:DeleteObject"],
  },
  failedChanges: { write: ["s3:PutObject"] },
} as const satisfies Record<BucketName, object>;

/**
 * `SendEmail` of SES v2 requires either permission, depending on the mail's content: it replaces these two operations
 * of v1.
 */
const mailActions = ["ses:SendEmail", "ses:SendRawEmail"] as const;

/** The IAM statements of a function's declared permissions. */
export function grantsFor(
  permissions: Permissions,
  entities: readonly Entity[],
  data: DataStack,
): PolicyStatement[] {
  const { buckets = {}, queues = [], secrets = [], rotates = [], mails } = permissions;
  const statements = tableGrants(permissions, data.table.tableArn, entities);
  const allow = (actions: readonly string[], resources: string[]) =>
    statements.push(new PolicyStatement({ actions: [...actions], resources }));

  for (const [bucket, access] of Object.entries(buckets) as [BucketName, string][]) {
    const actions: Readonly<Record<string, readonly string[]>> = bucketActions[bucket];
    const arn = data.bucketArns[bucket];
    allow(actions[access] ?? [], [`${arn}/*`]);
    // Lambda requires this for a function whose failed batches it stores.
    if (bucket === "failedChanges") allow(["s3:ListBucket"], [arn]);
  }
  for (const name of queues) allow(["sqs:SendMessage"], [data.queues[name].queue.queueArn]);
  if (mails && data.mail) allow(mailActions, [data.mail.identity.emailIdentityArn]);
  const arnOf = (name: SecretName) =>
    (name === "settings" ? data.settingsSecret : data.tokenSecrets[name]).secretArn;
  for (const name of secrets) allow(["secretsmanager:GetSecretValue"], [arnOf(name)]);
  for (const guard of rotates) {
    allow(["secretsmanager:GetSecretValue", "secretsmanager:PutSecretValue"], [arnOf(guard)]);
  }
  return statements;
}
