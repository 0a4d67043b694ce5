import { randomUUID } from "node:crypto";
import type { SQSRecord } from "aws-lambda";
import { once } from "node:events";
import { Agent, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { buffer } from "node:stream/consumers";
import { serveOnLoopback } from "./failing-servers.ts";

/** An SQS message with this body, by default at its first delivery. */
export function aMessage(body: unknown, attempt = 1): SQSRecord {
  return {
    messageId: randomUUID(),
    receiptHandle: randomUUID(),
    body: JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: String(attempt),
      SentTimestamp: "0",
      SenderId: "test",
      ApproximateFirstReceiveTimestamp: "0",
    },
    messageAttributes: {},
    md5OfBody: "",
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:test",
    awsRegion: "us-east-1",
  };
}

/** A proxy in front of SQS that can make every queue fail. */
export interface QueueProxy {
  readonly endpoint: string;
  /** From now on each queue refuses this many calls; by default, all. */
  breakQueues(calls?: number): void;
  mendQueues(): void;
  /** The names of the queues that have refused calls since the last `breakQueues`. */
  refused(): string[];
  stop(): Promise<void>;
}

/** @param target returns SQS's address; undefined until SQS has started */
export async function startQueueProxy(target: () => string | undefined): Promise<QueueProxy> {
  const agent = new Agent({ keepAlive: true });
  const refused = new Map<string, number>();
  let toRefuse = 0;

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const address = target();
    if (address === undefined) return void incoming.socket.destroy();
    const { QueueUrl = "" } = JSON.parse(body.toString()) as { QueueUrl?: string };
    const name = QueueUrl.slice(QueueUrl.lastIndexOf("/") + 1);
    const count = refused.get(name) ?? 0;
    if (count < toRefuse) {
      refused.set(name, count + 1);
      // Refused calls alternately lose their connection and get an error response.
      if (count % 2 === 0) return void incoming.socket.resetAndDestroy();
      return void outgoing.writeHead(503, { "content-type": "application/x-amz-json-1.0" }).end();
    }
    const { hostname, port, host } = new URL(address);
    const forwarded = send({
      agent,
      host: hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, host, "content-length": body.length },
    });
    forwarded.end(body);
    const [answer] = (await once(forwarded, "response")) as [IncomingMessage];
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(await buffer(answer));
  }

  const server = await serveOnLoopback((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  return {
    endpoint: server.baseUrl,
    breakQueues(calls = Infinity) {
      refused.clear();
      toRefuse = calls;
    },
    mendQueues() {
      toRefuse = 0;
    },
    refused: () => [...refused.keys()].toSorted(),
    async stop() {
      await server.stop();
      agent.destroy();
    },
  };
}
