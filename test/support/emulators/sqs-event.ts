import { randomUUID } from "node:crypto";
import type { SQSRecord } from "aws-lambda";

/** An SQS message with this body, by default at its first delivery. */
export function aMessage(body: unknown, attempt = 1): SQSRecord {
  return {
    messageId: randomUUID(),
    receiptHandle: randomUUID(),
    body: JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: String(attempt),
      SentTimestamp: "0",
      SenderId: "test",
      ApproximateFirstReceiveTimestamp: "0",
    },
    messageAttributes: {},
    md5OfBody: "",
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:test",
    awsRegion: "us-east-1",
  };
}
