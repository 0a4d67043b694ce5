import {
  ChangeMessageVisibilityCommand,
  SQSClient,
  SendMessageBatchCommand,
} from "@aws-sdk/client-sqs";
import { type AwsEndpoint, clientDefaults } from "../runtime/aws-client.ts";
import { type Cause, currentCause } from "../runtime/cause.ts";

interface QueueOptions extends AwsEndpoint {
  readonly url: string;
}

/** A message of a FIFO queue. */
export interface FifoMessage {
  readonly body: unknown;
  /** Messages of one group are delivered in order. */
  readonly group: string;
  /** Messages with the same id within five minutes are delivered once. */
  readonly dedupe: string;
  /** Default: `currentCause()`. */
  readonly cause?: Cause;
}

/** A FIFO queue: ordered within a group, without duplicates. */
export interface FifoQueue {
  /**
   * Sends any number of messages. Throws when a message was not accepted; later messages of the same group were then
   * not sent.
   */
  send(messages: readonly FifoMessage[]): Promise<void>;
}

export function openFifoQueue(options: QueueOptions): FifoQueue {
  const send = batchSender(options);
  return {
    async send(messages) {
      const entries = messages.map(({ body, group, dedupe, cause }) => ({
        ...entryOf(body, cause),
        MessageGroupId: group,
        MessageDeduplicationId: dedupe,
      }));
      for (const batch of batchesOf(entries)) await send(batch);
    },
  };
}

/** A queue that delivers each message at least once, in any order. */
export interface Queue {
  /**
   * Sends any number of messages. Throws when a message was not accepted; other messages may have been accepted.
   *
   * @param options.causes of the messages, in their order; default: `currentCause()` for all
   * @param options.delaySeconds until the messages are delivered, at most 900; default: 0
   */
  send(
    messages: readonly unknown[],
    options?: { readonly causes?: readonly Cause[]; readonly delaySeconds?: number },
  ): Promise<void>;
  /** Hides a received message for a number of seconds, at most 43,200 after it was received. */
  postpone(receiptHandle: string, seconds: number): Promise<void>;
}

export function openQueue(options: QueueOptions): Queue {
  const client = new SQSClient(clientDefaults(options.endpoint, options));
  const send = batchSender(options, client);
  return {
    async send(messages, { causes, delaySeconds = 0 } = {}) {
      const entries = messages.map((message, position) => ({
        ...entryOf(message, causes?.[position]),
        ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
      }));
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
  /** The message's `Cause`: the request or trigger that led to it. The log lines of the consumer repeat it. */
  readonly MessageAttributes?: Readonly<Record<string, Attribute>>;
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
}

interface Attribute {
  readonly DataType: "String";
  readonly StringValue: string;
}

function entryOf(body: unknown, cause: Cause = currentCause()) {
  const MessageAttributes = Object.fromEntries(
    Object.entries(cause).flatMap(([name, StringValue]: [string, string | undefined]) =>
      StringValue === undefined ? [] : [[name, { DataType: "String" as const, StringValue }]],
    ),
  );
  return { MessageBody: JSON.stringify(body), MessageAttributes };
}

/** The size of an entry as SQS counts it: the body and the attributes. */
const sizeOf = ({ MessageBody, MessageAttributes = {} }: Entry): number =>
  Buffer.byteLength(MessageBody) +
  Object.entries(MessageAttributes).reduce(
    (sum, [name, { DataType, StringValue }]) =>
      sum + Buffer.byteLength(name + DataType + StringValue),
    0,
  );

function batchSender(
  { url: QueueUrl, endpoint, requestHandler }: QueueOptions,
  client = new SQSClient(clientDefaults(endpoint, { requestHandler })),
) {
  return async (batch: readonly Entry[]): Promise<void> => {
    const Entries = batch.map((entry, position) => ({ ...entry, Id: String(position) }));
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (Failed.length > 0) {
      throw new Error(`The queue refused ${Failed.length} messages: ${Failed[0]?.Code}`);
    }
  };
}

/** SQS's limits per request: number of messages, and their total size. */
const maxEntries = 10;
const maxBytes = 256 * 1024;

/**
 * Splits entries into as few requests as possible. SQS may accept one entry of a request and refuse another. So a
 * request has at most one entry of each group, and a later entry is sent only after the earlier one was accepted.
 */
export function batchesOf<Each extends Entry>(entries: readonly Each[]): Each[][] {
  const batches: Each[][] = [];
  let groups = new Set<string>();
  let bytes = 0;
  for (const entry of entries) {
    const { MessageGroupId: group } = entry;
    const size = sizeOf(entry);
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
