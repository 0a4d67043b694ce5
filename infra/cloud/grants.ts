import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { BucketName, Permissions, KeySecretName } from "#functions/deployed-function.ts";
import type { Entity } from "#shared/storage/entity.ts";
import type { DataStack } from "./data-stack.ts";
import type { MailSender } from "./mail.ts";
import { tableGrants } from "./table-grants.ts";

export const bucketActions = {
  index: {
    read: ["s3:GetObject"],
    write: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
  },
  media: { read: ["s3:GetObject"], write: ["s3:PutObject", "s3:DeleteObject"] },
  quarantine: {
    // An upload form has the permissions of the function that signed it.
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
    move: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
  },
  documents: {
    read: ["s3:GetObject"],
    write: ["s3:PutObject", "s3:DeleteObject"],
  },
  failedChanges: { write: ["s3:PutObject"] },
  erasedIds: { write: ["s3:PutObject"] },
} as const satisfies Record<BucketName, object>;

/**
 * Depending on the mail's content, `SendEmail` of SES v2 requires the permission for one or the other of these two
 * operations of SES v1.
 */
const mailActions = ["ses:SendEmail", "ses:SendRawEmail"] as const;

/**
 * Allows mail from the shop's address only. The resources are all identities, because SES also checks each recipient
 * that is a verified identity of the account; in the sandbox, every recipient is one. The condition names the sender.
 */
function mailGrant(data: DataStack, { from, configurationSet }: MailSender): PolicyStatement {
  const arnOf = (resource: string, resourceName: string) =>
    data.formatArn({ service: "ses", resource, resourceName });
  return new PolicyStatement({
    actions: [...mailActions],
    resources: [arnOf("identity", "*"), arnOf("configuration-set", configurationSet)],
    conditions: { StringEquals: { "ses:FromAddress": from } },
  });
}

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
    // A function needs this permission if Lambda stores its failed batches in the bucket.
    if (bucket === "failedChanges") allow(["s3:ListBucket"], [arn]);
  }
  for (const name of queues) allow(["sqs:SendMessage"], [data.queues[name].queue.queueArn]);
  if (mails && data.mail) statements.push(mailGrant(data, data.mail));
  const arnOf = (name: KeySecretName) => data.keySecrets[name].secretArn;
  for (const name of secrets) allow(["secretsmanager:GetSecretValue"], [arnOf(name)]);
  for (const guard of rotates) {
    allow(["secretsmanager:GetSecretValue", "secretsmanager:PutSecretValue"], [arnOf(guard)]);
  }
  return statements;
}
