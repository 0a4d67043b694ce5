import { randomUUID } from "node:crypto";
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { SQSBatchResponse, SQSEvent, SQSMessageAttributes, SQSRecord } from "aws-lambda";
import { inProcess } from "#infra/local/emulators/in-process.ts";
import { clientDefaults } from "#shared/runtime/aws-client.ts";
import { lambdaContext, type LocalFunction } from "#infra/local/functions/lambda.ts";
import { backoff, interruptiblePause } from "./pause.ts";

export type QueueFunction = LocalFunction<SQSEvent, SQSBatchResponse | void>;

export interface QueuePump {
  /** Returns the number of batches delivered so far. */
  handled(): number;
  stop(): Promise<void>;
}

interface QueuePumpOptions {
  readonly endpoint: string;
  readonly queueUrl: string;
  readonly batchSize: number;
  readonly target: QueueFunction;
  /** For a FIFO queue: the messages of these groups that wait for delivery. */
  readonly waiting?: ((groups: ReadonlySet<string>) => readonly Message[]) | undefined;
  readonly report?: (problem: unknown, functionName: string) => void;
}

const longPollSeconds = 20;
/**
 * Seconds until a failed message is delivered again, more with each attempt. Lambda would wait for the visibility
 * timeout. All attempts together take longer than a lease lasts, so a message survives a crash of the lease's holder.
 */
const retrySeconds = ({ Attributes }: Message): number =>
  Math.min(longestRetrySeconds, Number(Attributes?.ApproximateReceiveCount ?? 1));
const longestRetrySeconds = 3;
/** SQS's limit for one batch. */
const maxMessages = 10;

/** Delivers a queue's messages, as Lambda's event source mapping does. */
export function startQueuePump(options: QueuePumpOptions): QueuePump {
  const { queueUrl: QueueUrl, target } = options;
  const report = options.report ?? ((problem, name) => console.error(`${name}:`, problem));
  const client = new SQSClient(clientDefaults(options.endpoint, { requestHandler: inProcess }));
  const stopping = new AbortController();
  const abortSignal = stopping.signal;
  /** The ids of messages that were processed before their delivery. */
  const processed = new Set<string>();
  let handled = 0;

  async function receive(): Promise<Message[]> {
    const { Messages } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: Math.min(options.batchSize, maxMessages),
        WaitTimeSeconds: longPollSeconds,
        MessageSystemAttributeNames: ["All"],
        MessageAttributeNames: ["All"],
      }),
      { abortSignal },
    );
    return Messages ?? [];
  }

  /** @returns the ids of the messages that failed */
  async function invoke(messages: readonly Message[]): Promise<ReadonlySet<string>> {
    handled++;
    const records = messages.map((message) => asRecord(message, QueueUrl));
    try {
      const answer = await target.handler(
        { Records: records },
        lambdaContext(target, randomUUID()),
      );
      return new Set(answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    } catch (problem) {
      report(problem, target.name);
      return new Set(records.map(({ messageId }) => messageId));
    }
  }

  /**
   * The emulator delivers one message of a FIFO group at a time, and SQS up to ten. So the messages that wait behind a
   * delivered one are processed along with it, and deleted when they are delivered.
   */
  function alongWith(delivered: readonly Message[]): readonly Message[] {
    const groups = new Set(
      delivered.flatMap((message) => message.Attributes?.MessageGroupId ?? []),
    );
    const waiting = options.waiting?.(groups) ?? [];
    return waiting
      .filter(({ MessageId = "" }) => !processed.has(MessageId))
      .slice(0, Math.max(0, options.batchSize - delivered.length));
  }

  async function work(messages: readonly Message[]): Promise<void> {
    const delivered = messages.filter(({ MessageId = "" }) => !processed.delete(MessageId));
    const along = delivered.length > 0 ? alongWith(delivered) : [];
    const failed = delivered.length > 0 ? await invoke([...delivered, ...along]) : new Set();
    const isDone = ({ MessageId = "" }: Message) => !failed.has(MessageId);
    for (const { MessageId = "" } of along.filter(isDone)) processed.add(MessageId);
    const done = messages.filter(isDone).map(entryOf);
    const again = messages.filter((message) => !isDone(message));
    if (done.length > 0)
      await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: done }));
    if (again.length > 0) {
      const Entries = again.map((message) => ({
        ...entryOf(message),
        VisibilityTimeout: retrySeconds(message),
      }));
      await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
    }
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!abortSignal.aborted) {
      try {
        const messages = await receive();
        if (messages.length > 0) await work(messages);
        failures = 0;
      } catch (problem) {
        if (abortSignal.aborted) return;
        report(problem, target.name);
        await interruptiblePause(backoff(++failures), abortSignal);
      }
    }
  }

  const running = run();
  return {
    handled: () => handled,
    async stop() {
      stopping.abort();
      await running;
      client.destroy();
    },
  };
}

const entryOf = ({ MessageId: Id, ReceiptHandle }: Message) => ({ Id, ReceiptHandle });

/** The record with which Lambda's event source delivers a message. */
export function asRecord(message: Message, queueUrl: string): SQSRecord {
  return {
    messageId: message.MessageId ?? "",
    receiptHandle: message.ReceiptHandle ?? "",
    body: message.Body ?? "",
    attributes: message.Attributes as SQSRecord["attributes"],
    messageAttributes: attributesOf(message),
    md5OfBody: message.MD5OfBody ?? "",
    eventSource: "aws:sqs",
    eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${queueUrl.slice(queueUrl.lastIndexOf("/") + 1)}`,
    awsRegion: "us-east-1",
  };
}

function attributesOf({ MessageAttributes = {} }: Message): SQSMessageAttributes {
  return Object.fromEntries(
    Object.entries(MessageAttributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      {
        dataType: DataType ?? "String",
        stringValue: StringValue,
        binaryValue: BinaryValue && Buffer.from(BinaryValue).toString("base64"),
      },
    ]),
  );
}
