import { once } from "node:events";
import { Agent, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import {
  type ItemRequest,
  type StorageCall,
  consistencyOf,
  isAboutItems,
  partitionsOf,
  transactedItemsOf,
  unitsOf,
} from "./dynamodb-calls.ts";
import { serveOnLoopback } from "./failing-servers.ts";

/**
 * The fault of a call. The first four prevent the request; with `answer-lost` and `answer-late` only the response is
 * lost; `slow` delays the response by 300 ms.
 */
export type Fault =
  | "reset"
  | "server-error"
  | "throttled"
  | "conflict"
  | "answer-lost"
  | "answer-late"
  | "slow";

/**
 * Decides the fault of a call. The call waits for the decision.
 *
 * @param position of the SDK's call since the start, from 1; all attempts of a call have the same position
 */
export type FaultScript = (
  call: StorageCall,
  position: number,
) => Fault | undefined | Promise<undefined>;

/** Records the calls of a table, and makes them fail. */
export interface CallRecorder {
  /** Runs the work, and returns its result with the calls that read or wrote items meanwhile. */
  record<Result>(work: () => Promise<Result>): Promise<{ result: Result; calls: StorageCall[] }>;
  /** Like `record`, but with the faults that `script` decides on. */
  disturb<Result>(
    script: FaultScript,
    work: () => Promise<Result>,
  ): Promise<{ result: Result; calls: StorageCall[] }>;
}

export interface DynamoDbProxy extends CallRecorder {
  readonly endpoint: string;
  stop(): Promise<void>;
}

const slowMs = 300;

/**
 * A pause during which the process handles what arrives, even if the machine stops it meanwhile: a single timer would
 * end first, and requests that were sent together would seem to be sequential.
 */
async function pauseInTurns(ms: number): Promise<void> {
  const turns = 15;
  for (let turn = 0; turn < turns; turn += 1) {
    await pause(ms / turns);
    await nextTurn();
  }
}

/** Fails every attempt of one call. */
export const failing =
  (position: number, fault: Fault): FaultScript =>
  (_call, at) =>
    at === position ? fault : undefined;

/** Fails the first attempt of one call. */
export const failingOnce =
  (position: number, fault: Fault): FaultScript =>
  ({ attempt }, at) =>
    at === position && attempt === 1 ? fault : undefined;

/** Holds transactions until this many have arrived, so that each has read the same state. */
export function transactionsTogether(count: number): FaultScript {
  const all = Promise.withResolvers<undefined>();
  let arrived = 0;
  return ({ operation }) => {
    if (operation !== "TransactWriteItems") return undefined;
    arrived += 1;
    if (arrived === count) all.resolve(undefined);
    return all.promise;
  };
}

/**
 * A proxy in front of a DynamoDB that records every request.
 *
 * @param target its address, or a function that returns it for each call
 * @param latencyMs delay of every response, so that concurrent calls overlap
 */
export async function startDynamoDbProxy(
  target: string | (() => string),
  { latencyMs = 0 } = {},
): Promise<DynamoDbProxy> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const addressOf = typeof target === "string" ? () => target : target;
  let script: FaultScript = () => undefined;
  let recorded: StorageCall[] = [];
  let positions = new Map<string, number>();
  /** Requests that the database has not answered yet. */
  const underWay = new Set<Promise<unknown>>();

  async function forward(
    incoming: IncomingMessage,
    body: Buffer,
  ): Promise<{ status: number; body: Buffer; headers: IncomingMessage["headers"] }> {
    const upstream = new URL(addressOf());
    const outgoing = send({
      agent,
      host: upstream.hostname,
      port: upstream.port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, host: upstream.host, "content-length": body.length },
    });
    outgoing.end(body);
    const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
    return {
      status: answer.statusCode ?? 502,
      headers: answer.headers,
      body: await buffer(answer),
    };
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const operation =
      /^DynamoDB_\d+\.(\w+)$/.exec(String(incoming.headers["x-amz-target"]))?.[1] ?? "";
    if (!isAboutItems(operation)) {
      const answer = await forward(incoming, body);
      outgoing.writeHead(answer.status, answer.headers).end(answer.body);
      return;
    }

    const request = JSON.parse(body.toString()) as ItemRequest;
    const call = arrival(incoming, operation, request);
    recorded.push(call);
    if (!positions.has(call.invocation)) positions.set(call.invocation, positions.size + 1);
    const decision = script(call, positions.get(call.invocation) ?? 0);
    const fault = decision instanceof Promise ? await decision : decision;
    if (fault === "reset") {
      call.answeredAt = performance.now();
      incoming.socket.resetAndDestroy();
      return;
    }
    if (fault === "server-error" || fault === "throttled" || fault === "conflict") {
      call.answeredAt = performance.now();
      refuse(outgoing, fault, request.TransactItems?.length ?? 0);
      return;
    }

    const forwarded = forward(
      incoming,
      Buffer.from(JSON.stringify({ ...request, ReturnConsumedCapacity: "TOTAL" })),
    ).finally(() => underWay.delete(forwarded));
    underWay.add(forwarded);
    const answer = await forwarded;
    Object.assign(call, unitsOf(operation, JSON.parse(answer.body.toString())));
    call.answerBytes = answer.body.length;
    const late = latencyMs + (fault === "slow" ? slowMs : 0);
    if (late > 0) await pauseInTurns(late);
    call.answeredAt = performance.now();
    if (fault === "answer-lost") incoming.socket.resetAndDestroy();
    // An `answer-late` response is never sent: the caller times out and closes the connection.
    else if (fault !== "answer-late")
      outgoing.writeHead(answer.status, answer.headers).end(answer.body);
  }

  const server = await serveOnLoopback((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => incoming.socket.destroy());
  });

  async function disturb<Result>(faults: FaultScript, work: () => Promise<Result>) {
    script = faults;
    recorded = [];
    positions = new Map();
    try {
      const result = await work();
      // A function may have stopped waiting for a request that still takes effect.
      await Promise.allSettled(underWay);
      return { result, calls: recorded };
    } finally {
      script = () => undefined;
    }
  }

  return {
    endpoint: server.baseUrl,
    record: (work) => disturb(() => undefined, work),
    disturb,
    async stop() {
      await server.stop();
      agent.destroy();
    },
  };
}

function arrival(
  { headers }: IncomingMessage,
  operation: string,
  request: ItemRequest,
): StorageCall {
  const arrivedAt = performance.now();
  return {
    operation,
    invocation: String(headers["amz-sdk-invocation-id"]),
    attempt: Number(/attempt=(\d+)/.exec(String(headers["amz-sdk-request"]))?.[1] ?? 1),
    partitions: partitionsOf(request),
    transactedItems: transactedItemsOf(request),
    consistent: consistencyOf(operation, request),
    arrivedAt,
    answeredAt: arrivedAt,
    answerBytes: 0,
    readUnits: 0,
    writeUnits: 0,
  };
}

const service = "com.amazonaws.dynamodb.v20120810#";

/** Sends DynamoDB's error response, because the emulator itself never throttles and has no conflicts. */
function refuse(
  outgoing: ServerResponse,
  fault: "server-error" | "throttled" | "conflict",
  items: number,
): void {
  const [status, body] = {
    "server-error": [
      500,
      { __type: `${service}InternalServerError`, message: "Internal server error" },
    ],
    throttled: [
      400,
      { __type: "com.amazon.coral.availability#ThrottlingException", message: "Rate exceeded" },
    ],
    conflict: [
      400,
      items > 0
        ? {
            __type: `${service}TransactionCanceledException`,
            Message:
              "Transaction cancelled, please refer cancellation reasons for specific reasons",
            CancellationReasons: Array.from({ length: items }, (_, item) =>
              item === 0
                ? { Code: "TransactionConflict", Message: "Transaction is ongoing for the item" }
                : { Code: "None" },
            ),
          }
        : {
            __type: `${service}TransactionConflictException`,
            message: "Transaction is ongoing for the item",
          },
    ],
  }[fault] as [number, object];
  outgoing
    .writeHead(status, { "content-type": "application/x-amz-json-1.0" })
    .end(JSON.stringify(body));
}
