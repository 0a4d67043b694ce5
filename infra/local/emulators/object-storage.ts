import type { RequestListener } from "node:http";
import { Server } from "node:net";
import type { Message } from "@aws-sdk/client-sqs";
import { startFauxqs } from "fauxqs";
import { type QueueName, queues } from "#functions/queues.ts";
import { callInProcess } from "./in-process.ts";

export interface ObjectStorage {
  /** The S3 and SQS API. */
  readonly endpoint: string;
  queueUrl(name: QueueName): string;
  /** The messages of a FIFO queue's groups that wait for delivery, in order, without receipt handles. */
  waiting(queue: QueueName, groups: ReadonlySet<string>): Message[];
  /**
   * Whether none of these queues has a message to deliver or in flight. Dead letter queues are ignored, and so are messages that
   * were sent with a delay.
   */
  drained(queues: ReadonlySet<QueueName>): boolean;
  stop(): Promise<void>;
}

export const buckets = {
  media: "media",
  quarantine: "quarantine",
  index: "view",
  exports: "exports",
  inboxFiles: "inbox-files",
  documents: "documents",
  failedChanges: "failed-changes",
  erasedIds: "erased-ids",
} as const;

const queueNames = Object.keys(queues) as QueueName[];

/**
 * Emulates S3 and SQS in this process, with the service's buckets and queues. It does not check credentials.
 *
 * @param folders where objects and messages are kept; without a folder they are in memory
 */
export async function startObjectStorage(
  folders: { readonly objects?: string | undefined; readonly queues?: string | undefined } = {},
): Promise<ObjectStorage> {
  const { started: emulator, listener } = await onLoopback(() =>
    startFauxqs({
      port: 0,
      logger: false,
      ...(folders.queues !== undefined && { dataDir: folders.queues }),
      ...(folders.objects !== undefined && { s3StorageDir: folders.objects }),
      init: {
        buckets: Object.values(buckets),
        queues: queueNames.flatMap(withDeadLetters),
      },
    }),
  );
  const endpoint = `http://127.0.0.1:${emulator.port}`;
  const leaveProcess = callInProcess(endpoint, listener);

  return {
    endpoint,
    queueUrl: (name) => `${endpoint}/000000000000/${nameOf(name)}`,
    waiting: (name, groups) =>
      (emulator.inspectQueue(nameOf(name))?.messages.ready ?? []).flatMap((message) => {
        const { messageGroupId: MessageGroupId = "" } = message;
        if (!groups.has(MessageGroupId)) return [];
        return {
          MessageId: message.messageId,
          Body: message.body,
          MD5OfBody: message.md5OfBody,
          MessageAttributes: Object.fromEntries(
            Object.entries(message.messageAttributes).map(([name, { DataType, StringValue }]) => [
              name,
              { DataType, StringValue },
            ]),
          ),
          Attributes: {
            MessageGroupId,
            SentTimestamp: String(message.sentTimestamp),
            ApproximateReceiveCount: String(message.approximateReceiveCount + 1),
          },
        };
      }),
    drained: (names) =>
      [...names].every((name) => {
        const messages = emulator.inspectQueue(nameOf(name))?.messages;
        return !messages || messages.ready.length + messages.inflight.length === 0;
      }),
    async stop() {
      leaveProcess();
      await emulator.stop();
    },
  };
}

const nameOf = (queue: QueueName, suffix = "") =>
  `${queue}${suffix}${queues[queue].fifo ? ".fifo" : ""}`;

function withDeadLetters(queue: QueueName) {
  const { fifo, attempts } = queues[queue];
  const deadLetters = nameOf(queue, "-dead-letters");
  const order = fifo ? { FifoQueue: "true" } : {};
  const RedrivePolicy = JSON.stringify({
    deadLetterTargetArn: `arn:aws:sqs:us-east-1:000000000000:${deadLetters}`,
    maxReceiveCount: String(attempts),
  });
  return [
    { name: deadLetters, attributes: order },
    { name: nameOf(queue), attributes: { ...order, RedrivePolicy } },
  ];
}

/**
 * The emulator has no option to listen on loopback only, and keeps its server to itself. So this makes the server that
 * `start` opens listen on loopback, and returns what answers its requests.
 */
async function onLoopback<Started>(
  start: () => Promise<Started>,
): Promise<{ started: Started; listener: RequestListener }> {
  const { listen } = Server.prototype;
  const servers: Server[] = [];
  Server.prototype.listen = function (this: Server, ...args: unknown[]) {
    servers.push(this);
    const [options, ...rest] = args;
    const bound =
      typeof options === "object" &&
      options !== null &&
      "host" in options &&
      options.host === "0.0.0.0"
        ? { ...options, host: "127.0.0.1" }
        : options;
    return Reflect.apply(listen, this, [bound, ...rest]) as Server;
  };
  try {
    const started = await start();
    const [listener] = servers[0]?.listeners("request") ?? [];
    return { started, listener: listener as RequestListener };
  } finally {
    Server.prototype.listen = listen;
  }
}
