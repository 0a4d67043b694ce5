import {
  ChangeMessageVisibilityCommand,
  SQSClient,
  SendMessageBatchCommand,
  SendMessageCommand,
} from "@aws-sdk/client-sqs";
import { clientDefaults } from "../runtime/aws-client.ts";

interface QueueOptions {
  url: string;
  endpoint?: string | undefined;
}

/** A queue that keeps order within a group and drops what was sent twice. */
export interface FifoQueue {
  /** @param dedupe messages of the same id within five minutes count once */
  send(message: unknown, order: { group: string; dedupe: string }): Promise<void>;
}

export function openFifoQueue(options: QueueOptions): FifoQueue {
  const client = new SQSClient(clientDefaults(options.endpoint));
  return {
    async send(message, { group, dedupe }) {
      await client.send(
        new SendMessageCommand({
          QueueUrl: options.url,
          MessageBody: JSON.stringify(message),
          MessageGroupId: group,
          MessageDeduplicationId: dedupe,
        }),
      );
    },
  };
}

/** A queue that delivers each message at least once, in any order. */
export interface Queue {
  /** Any number of messages. Throws when one of them was not taken; others may have been. */
  send(messages: readonly unknown[]): Promise<void>;
  /** Hides a message that was received for so many seconds from now, at most 43,200 since it was received. */
  postpone(receiptHandle: string, seconds: number): Promise<void>;
}

/** SQS takes no more at once. */
const batchSize = 10;

export function openQueue(options: QueueOptions): Queue {
  const client = new SQSClient(clientDefaults(options.endpoint));
  const QueueUrl = options.url;

  return {
    async send(messages) {
      for (let start = 0; start < messages.length; start += batchSize) {
        const Entries = messages.slice(start, start + batchSize).map((message, position) => ({
          Id: String(position),
          MessageBody: JSON.stringify(message),
        }));
        const { Failed = [] } = await client.send(
          new SendMessageBatchCommand({ QueueUrl, Entries }),
        );
        if (Failed.length > 0) {
          throw new Error(`The queue did not take ${Failed.length} messages: ${Failed[0]?.Code}`);
        }
      }
    },
    async postpone(ReceiptHandle, seconds) {
      await client.send(
        new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: seconds }),
      );
    },
  };
}
