import { randomUUID } from "node:crypto";
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { SQSBatchResponse, SQSEvent, SQSMessageAttributes, SQSRecord } from "aws-lambda";
import { clientDefaults } from "#shared/runtime/aws-client.ts";
import { lambdaContext, type LocalFunction } from "./lambda.ts";
import { backoff, pause } from "./pause.ts";

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
  const client = new SQSClient(clientDefaults(options.endpoint, (longPollSeconds + 5) * 1000));
  const stopping = new AbortController();
  const abortSignal = stopping.signal;
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

  async function work(messages: readonly Message[]): Promise<void> {
    const failed = await invoke(messages);
    const isDone = ({ MessageId = "" }: Message) => !failed.has(MessageId);
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
        await pause(backoff(++failures), abortSignal);
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

function asRecord(message: Message, queueUrl: string): SQSRecord {
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
