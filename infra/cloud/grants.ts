import { Fn } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Reach } from "#functions/deployed-function.ts";
import type { Partitions } from "#shared/storage/key-chart.ts";
import type { BucketName, DataStack } from "./data-stack.ts";
import { tableGrants } from "./table-grants.ts";

const reading = {
  view: ["s3:GetObject"],
} as const;

const writing = {
  view: ["s3:PutObject", "s3:DeleteObject"],
  media: ["s3:PutObject", "s3:DeleteObject"],
} as const;

const quarantineActions = {
  // A form that callers send to storage may do what its signer may.
  fill: ["s3:PutObject"],
  empty: ["s3:GetObject", "s3:DeleteObject"],
} as const;

const exportActions = {
  // A link may do what its signer may.
  read: ["s3:GetObject"],
  write: ["s3:GetObject", "s3:PutObject", "s3:AbortMultipartUpload"],
} as const;

const inboxFileActions = {
  // A link may do what its signer may.
  read: ["s3:GetObject"],
  write: ["s3:PutObject", "s3:DeleteObject"],
} as const;

/** Lambda asks for both of whoever has it store what failed. */
const failedChangesActions = { object: ["s3:PutObject"], bucket: ["s3:ListBucket"] } as const;

/** SES asks for either, by what a mail holds: its one operation is made of the two of the version before. */
const mailActions = ["ses:SendEmail", "ses:SendRawEmail"] as const;

/**
 * What a function's declared reach allows it to do, and nothing else.
 *
 * @param touched the partitions of the table that it has to do with
 */
export function grantsFor(reach: Reach, touched: Partitions, data: DataStack): PolicyStatement[] {
  const { view, media, quarantine, exports, inboxFiles, failedChanges } = reach;
  const { settingsKeys, mails, sendsTo = [], signingKeys = [], rotates = [] } = reach;
  const statements = tableGrants(reach, data.table.tableArn, touched);
  const allow = (actions: readonly string[], resources: string[]) =>
    statements.push(new PolicyStatement({ actions: [...actions], resources }));

  const arnOf = (bucket: BucketName) => Fn.importValue(data.bucketExports[bucket]);
  const objectsOf = (bucket: BucketName) => [`${arnOf(bucket)}/*`];
  if (view) allow(reading.view, objectsOf("view"));
  if (view === "write") allow(writing.view, objectsOf("view"));
  if (media) allow(writing.media, objectsOf("media"));
  if (quarantine) allow(quarantineActions[quarantine], objectsOf("quarantine"));
  if (exports) allow(exportActions[exports], objectsOf("exports"));
  if (inboxFiles) allow(inboxFileActions[inboxFiles], objectsOf("inboxFiles"));
  if (failedChanges) {
    allow(failedChangesActions.object, objectsOf("failedChanges"));
    allow(failedChangesActions.bucket, [arnOf("failedChanges")]);
  }
  for (const name of sendsTo) allow(["sqs:SendMessage"], [data.queues[name].queue.queueArn]);
  if (mails && data.mail) allow(mailActions, [data.mail.identity.emailIdentityArn]);
  for (const guard of signingKeys)
    allow(["secretsmanager:GetSecretValue"], [data.tokenSecrets[guard].secretArn]);
  for (const guard of rotates) {
    allow(
      ["secretsmanager:GetSecretValue", "secretsmanager:PutSecretValue"],
      [data.tokenSecrets[guard].secretArn],
    );
  }
  if (settingsKeys) allow(["secretsmanager:GetSecretValue"], [data.settingsSecret.secretArn]);
  return statements;
}
