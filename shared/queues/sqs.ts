import type {
  ChangeMessageVisibilityBatchRequest,
  ChangeMessageVisibilityBatchResult,
  ChangeMessageVisibilityRequest,
  DeleteMessageBatchRequest,
  DeleteMessageBatchResult,
  ReceiveMessageRequest,
  ReceiveMessageResult,
  SendMessageBatchRequest,
  SendMessageBatchResult,
  SendMessageRequest,
  SendMessageResult,
} from "@aws-sdk/client-sqs";
import { awsJson } from "../runtime/aws-json.ts";

/** What queues are asked, and what they answer. */
interface Operations {
  ChangeMessageVisibility: [ChangeMessageVisibilityRequest, object];
  ChangeMessageVisibilityBatch: [
    ChangeMessageVisibilityBatchRequest,
    ChangeMessageVisibilityBatchResult,
  ];
  DeleteMessageBatch: [DeleteMessageBatchRequest, DeleteMessageBatchResult];
  ReceiveMessage: [ReceiveMessageRequest, ReceiveMessageResult];
  SendMessage: [SendMessageRequest, SendMessageResult];
  SendMessageBatch: [SendMessageBatchRequest, SendMessageBatchResult];
}

export type Sqs = <Name extends keyof Operations>(
  operation: Name,
  request: Operations[Name][0],
  signal?: AbortSignal,
) => Promise<Operations[Name][1]>;

interface SqsOptions {
  /** Of one of the queues that are asked. */
  readonly url: string;
  /** In place of where its address says that it is. */
  readonly endpoint?: string | undefined;
  readonly silenceMs?: number;
}

/** SQS without its SDK client, as DynamoDB and for the same reasons. */
export const openSqs = ({ url, endpoint, ...options }: SqsOptions): Sqs =>
  awsJson({
    service: "sqs",
    target: "AmazonSQS",
    base: () => endpoint ?? new URL(url).origin,
    ...options,
  }) as Sqs;
