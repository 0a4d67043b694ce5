import {
  ChangeMessageVisibilityCommand,
  SQSClient,
  SendMessageBatchCommand,
} from "@aws-sdk/client-sqs";
import { clientDefaults } from "../runtime/aws-client.ts";

interface QueueOptions {
  url: string;
  endpoint?: string | undefined;
}

/** A message of a queue that keeps order. */
export interface FifoMessage {
  readonly body: unknown;
  /** Its messages are handed out one after the other. */
  readonly group: string;
  /** Messages of the same id count once within five minutes. */
  readonly dedupe: string;
}

/** A queue that keeps order within a group and drops what was sent twice. */
export interface FifoQueue {
  /** Any number of messages. Throws when one was not taken; of its group, none behind it was. */
  send(messages: readonly FifoMessage[]): Promise<void>;
}

export function openFifoQueue(options: QueueOptions): FifoQueue {
  const send = batchSender(options);
  return {
    async send(messages) {
      const entries = messages.map(({ body, group, dedupe }) => ({
        MessageBody: JSON.stringify(body),
        MessageGroupId: group,
        MessageDeduplicationId: dedupe,
      }));
      for (const batch of batchesOf(entries)) await send(batch);
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

export function openQueue(options: QueueOptions): Queue {
  const client = new SQSClient(clientDefaults(options.endpoint));
  const send = batchSender(options, client);
  return {
    async send(messages) {
      const entries = messages.map((message) => ({ MessageBody: JSON.stringify(message) }));
      for (const batch of batchesOf(entries)) await send(batch);
    },
    async postpone(ReceiptHandle, seconds) {
      await client.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: options.url,
          ReceiptHandle,
          VisibilityTimeout: seconds,
        }),
      );
    },
  };
}

interface Entry {
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
}

function batchSender(
  { url: QueueUrl, endpoint }: QueueOptions,
  client = new SQSClient(clientDefaults(endpoint)),
) {
  return async (batch: readonly Entry[]): Promise<void> => {
    const Entries = batch.map((entry, position) => ({ ...entry, Id: String(position) }));
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (Failed.length > 0) {
      throw new Error(`The queue did not take ${Failed.length} messages: ${Failed[0]?.Code}`);
    }
  };
}

/** What SQS takes in one call, by number and by all bodies together. */
const maxEntries = 10;
const maxBytes = 256 * 1024;

/**
 * Entries in as few calls as they fit in. SQS may take one entry of a call and refuse another, so a call has at most
 * one of each group: what follows is sent only after what it follows was taken.
 */
export function batchesOf<Each extends Entry>(entries: readonly Each[]): Each[][] {
  const batches: Each[][] = [];
  let groups = new Set<string>();
  let bytes = 0;
  for (const entry of entries) {
    const { MessageBody, MessageGroupId: group } = entry;
    const size = Buffer.byteLength(MessageBody);
    const last = batches.at(-1);
    const fits =
      last !== undefined &&
      last.length < maxEntries &&
      bytes + size <= maxBytes &&
      !(group !== undefined && groups.has(group));
    if (fits) last.push(entry);
    else {
      batches.push([entry]);
      groups = new Set();
      bytes = 0;
    }
    if (group !== undefined) groups.add(group);
    bytes += size;
  }
  return batches;
}
