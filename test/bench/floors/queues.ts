import { SQSClient, SendMessageBatchCommand, SendMessageCommand } from "@aws-sdk/client-sqs";

export const commands = [SQSClient, SendMessageBatchCommand, SendMessageCommand];
