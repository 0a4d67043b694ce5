import { SQSClient, SendMessageCommand } from "@aws-sdk/client-sqs";

/** What the functions that send messages have of the SDK. */
export const handler = async () => [SQSClient, SendMessageCommand];
