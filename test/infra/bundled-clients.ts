import {
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { SendEmailCommand, SESv2Client } from "@aws-sdk/client-sesv2";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";

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
