import { Fn } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Reach } from "#functions/families.ts";
import { tableDefinition } from "#shared/storage/table-definition.ts";
import type { BucketName, DataStack } from "./data-stack.ts";

const reading = {
  // No Scan: nothing that runs here may cost more as the table grows.
  table: ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"],
  view: ["s3:GetObject"],
} as const;

const writing = {
  table: [
    "dynamodb:PutItem",
    "dynamodb:BatchWriteItem",
    "dynamodb:UpdateItem",
    "dynamodb:DeleteItem",
    "dynamodb:ConditionCheckItem",
  ],
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

/** What a function's declared reach allows it to do, and nothing else. */
export function grantsFor(
  {
    table,
    view,
    media,
    quarantine,
    exports,
    sendsTo = [],
    signingKeys = [],
    settingsKeys,
    mails,
  }: Reach,
  data: DataStack,
): PolicyStatement[] {
  const statements: PolicyStatement[] = [];
  const allow = (actions: readonly string[], resources: string[]) =>
    statements.push(new PolicyStatement({ actions: [...actions], resources }));

  const { tableArn } = data.table;
  if (table)
    allow(reading.table, [
      tableArn,
      ...tableDefinition.indexes.map(({ name }) => `${tableArn}/index/${name}`),
    ]);
  if (table === "write") allow(writing.table, [tableArn]);
  const objectsOf = (bucket: BucketName) => [`${Fn.importValue(data.bucketExports[bucket])}/*`];
  if (view) allow(reading.view, objectsOf("view"));
  if (view === "write") allow(writing.view, objectsOf("view"));
  if (media) allow(writing.media, objectsOf("media"));
  if (quarantine) allow(quarantineActions[quarantine], objectsOf("quarantine"));
  if (exports) allow(exportActions[exports], objectsOf("exports"));
  for (const name of sendsTo) allow(["sqs:SendMessage"], [data.queues[name].queue.queueArn]);
  if (mails && data.mail) allow(["ses:SendEmail"], [data.mail.identity.emailIdentityArn]);
  for (const guard of signingKeys)
    allow(["secretsmanager:GetSecretValue"], [data.tokenSecrets[guard].secretArn]);
  if (settingsKeys) allow(["secretsmanager:GetSecretValue"], [data.settingsSecret.secretArn]);
  return statements;
}
