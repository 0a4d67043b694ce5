import { Server } from "node:net";
import { join } from "node:path";
import { startFauxqs } from "fauxqs";
import { type QueueName, queues } from "#functions/queues.ts";

export interface ObjectStorage {
  /** Speaks S3 and SQS. */
  readonly endpoint: string;
  queueUrl(name: QueueName): string;
  /** Whether every queue is empty and no message is being worked on; what lies in dead letters does not count. */
  drained(): boolean;
  stop(): Promise<void>;
}

export const buckets = {
  media: "media",
  quarantine: "quarantine",
  view: "view",
  exports: "exports",
  inboxFiles: "inbox-files",
  failedChanges: "failed-changes",
} as const;

const queueNames = Object.keys(queues) as QueueName[];

/**
 * S3 and SQS in this process, with the service's buckets and queues.
 * The emulator checks no credentials: it is for development alone.
 *
 * @param dataDir where objects and messages are kept; without it they end with the stack
 */
export async function startObjectStorage(dataDir?: string): Promise<ObjectStorage> {
  const emulator = await onLoopback(() =>
    startFauxqs({
      port: 0,
      logger: false,
      ...(dataDir !== undefined && {
        dataDir: join(dataDir, "queues"),
        s3StorageDir: join(dataDir, "objects"),
      }),
      init: {
        buckets: Object.values(buckets),
        queues: queueNames.flatMap(withDeadLetters),
      },
    }),
  );
  const endpoint = `http://127.0.0.1:${emulator.port}`;

  return {
    endpoint,
    queueUrl: (name) => `${endpoint}/000000000000/${nameOf(name)}`,
    drained: () =>
      queueNames.every((name) => {
        const messages = emulator.inspectQueue(nameOf(name))?.messages;
        return (
          !messages ||
          messages.ready.length + messages.delayed.length + messages.inflight.length === 0
        );
      }),
    stop: () => emulator.stop(),
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

/** The emulator has no option for its address and asks for every one of the machine; it gets the loopback alone. */
async function onLoopback<Started>(start: () => Promise<Started>): Promise<Started> {
  const { listen } = Server.prototype;
  Server.prototype.listen = function (this: Server, ...given: unknown[]) {
    const [options, ...rest] = given;
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
    return await start();
  } finally {
    Server.prototype.listen = listen;
  }
}
