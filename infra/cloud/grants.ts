import { Fn } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { BucketName, Permissions, SecretName } from "#functions/deployed-function.ts";
import type { Entity } from "#shared/storage/entity.ts";
import type { DataStack } from "./data-stack.ts";
import { tableGrants } from "./table-grants.ts";

export const bucketActions = {
  view: {
    read: ["s3:GetObject"],
    write: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
  },
  media: { write: ["s3:PutObject", "s3:DeleteObject"] },
  quarantine: {
    // A form that callers send to storage may do what its signer may.
    fill: ["s3:PutObject"],
    empty: ["s3:GetObject", "s3:DeleteObject"],
  },
  exports: {
    // A link may do what its signer may.
    read: ["s3:GetObject"],
    write: ["s3:GetObject", "s3:PutObject", "s3:AbortMultipartUpload"],
  },
  inboxFiles: {
    // The same.
    read: ["s3:GetObject"],
    write: ["s3:PutObject", "s3:DeleteObject"],
  },
  failedChanges: { write: ["s3:PutObject"] },
} as const satisfies Record<BucketName, object>;

/** SES asks for either, by what a mail holds: its one operation is made of the two of the version before. */
const mailActions = ["ses:SendEmail", "ses:SendRawEmail"] as const;

/** The policy statements of what a function declares, and nothing else. */
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
    const arn = Fn.importValue(data.bucketExports[bucket]);
    allow(actions[access] ?? [], [`${arn}/*`]);
    // Lambda asks for it of a function that has it store what failed.
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
