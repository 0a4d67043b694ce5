import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
  PutItemCommand,
  TransactWriteItemsCommand,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import {
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { SendEmailCommand, SESv2Client } from "@aws-sdk/client-sesv2";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { openLog } from "#shared/runtime/log.ts";

/** Writes a line of each level. */
export function logLines(): void {
  const log = openLog("clients");
  log.info("Not written", { fact: 1 });
  log.warn("A warning", { fact: 1 });
  log.error("An error", { cause: new RangeError("too far") });
}

/** What DynamoDB says to a second row in the place of a first, by itself and in a transaction; and to a third. */
export async function errorsOfTable(endpoint: string, TableName: string) {
  const client = new DynamoDBClient({ endpoint, region: "eu-west-1" });
  const put = {
    TableName,
    Item: { pk: { S: "chair" }, sk: { S: "1" } },
    ConditionExpression: "attribute_not_exists(pk)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
  const errorOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  await client.send(new PutItemCommand(put));
  const refused = await errorOf(client.send(new PutItemCommand(put)));
  const cancelled = await errorOf(
    client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: put }] })),
  );
  const elsewhere = await errorOf(client.send(new PutItemCommand({ ...put, TableName: "none" })));
  return {
    found: refused instanceof ConditionalCheckFailedException && refused.Item,
    reasons: cancelled instanceof TransactionCanceledException && cancelled.CancellationReasons,
    isOfService: elsewhere instanceof DynamoDBServiceException && elsewhere.name,
  };
}

/** Answers as the table does of whose name the SDK's client has no class. */
export async function errorWithoutClass(endpoint: string) {
  const client = new DynamoDBClient({ endpoint, region: "eu-west-1", maxAttempts: 1 });
  const put = new PutItemCommand({ TableName: "shop", Item: { pk: { S: "chair" } } });
  const error: unknown = await client.send(put).catch((thrown: unknown) => thrown);
  return error instanceof DynamoDBServiceException && { name: error.name, message: error.message };
}

/** Bundled as functions are, it does what they do with the clients that the recipe makes smaller. */
export async function handler(endpoint: string, mailEndpoint: string) {
  const where: S3ClientConfig = { endpoint, region: "eu-west-1" };
  const s3 = new S3Client({ ...where, forcePathStyle: true });
  const object = { Bucket: "view", Key: "segment/1" };
  await s3.send(new PutObjectCommand({ ...object, Body: Buffer.from("a chair") }));
  const { Body } = await s3.send(new GetObjectCommand(object));
  const missing: unknown = await s3
    .send(new GetObjectCommand({ ...object, Key: "segment/2" }))
    .catch((error: unknown) => error);

  const { MessageId } = await new SQSClient({ endpoint, region: "eu-west-1" }).send(
    new SendMessageCommand({
      QueueUrl: `${endpoint}/000000000000/view.fifo`,
      MessageBody: "{}",
      MessageGroupId: "view",
      MessageDeduplicationId: "1",
    }),
  );
  const ses = new SESv2Client({ endpoint: mailEndpoint, region: "eu-west-1" });
  const letter = await ses.send(
    new SendEmailCommand({
      FromEmailAddress: "shop@example.com",
      Destination: { ToAddresses: ["asha@example.com"] },
      Content: { Simple: { Subject: { Data: "Hello" }, Body: { Text: { Data: "Hello" } } } },
    }),
  );
  return {
    read: await Body?.transformToString(),
    knowsItsErrors: missing instanceof NoSuchKey,
    sent: MessageId !== undefined,
    mailed: letter.MessageId !== undefined,
  };
}
