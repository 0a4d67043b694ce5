import { once } from "node:events";
import { Agent, type IncomingMessage, request as send } from "node:http";
import { buffer } from "node:stream/consumers";
import { serveOnLoopback } from "./failing-servers.ts";
import type { FaultScript } from "./dynamodb-proxy.ts";

/** `unreachable`: the call never arrives; `answer_lost`: it takes effect, and its answer is lost. */
export type CallFault = "unreachable" | "answer_lost";

/** Proxies in front of several services, which count the calls to all of them together. */
export interface CallFaults<Name extends string> {
  readonly endpoints: Readonly<Record<Name, string>>;
  /**
   * Runs the work while one call fails, with all its attempts.
   *
   * @param position of the call among those of the work, from 1; 0: no call fails
   */
  during<Result>(
    work: () => Promise<Result>,
    position?: number,
    fault?: CallFault,
  ): Promise<{ result: Result; calls: readonly string[] }>;
  stop(): Promise<void>;
}

/** @param targets the addresses of the services */
export async function startCallFaults<Name extends string>(
  targets: Readonly<Record<Name, string>>,
): Promise<CallFaults<Name>> {
  const agent = new Agent({ keepAlive: true });
  let failing: { position: number; fault: CallFault } = { position: 0, fault: "unreachable" };
  /** The calls of the work, in the sequence of their first attempts. */
  let calls: string[] = [];

  async function pass(target: string, incoming: IncomingMessage, body: Buffer) {
    const { hostname, port, host } = new URL(target);
    const { method, url: path } = incoming;
    const headers = { ...incoming.headers, host };
    const outgoing = send({ agent, hostname, port, method, path, headers });
    outgoing.end(body);
    const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
    return {
      status: answer.statusCode ?? 502,
      headers: answer.headers,
      body: await buffer(answer),
    };
  }

  const servers = await Promise.all(
    (Object.entries(targets) as [Name, string][]).map(async ([name, target]) => {
      const server = await serveOnLoopback((incoming, outgoing) => {
        const work = async () => {
          const body = await buffer(incoming);
          const call = `${name} ${nameOf(incoming)}`;
          if (!calls.includes(call)) calls.push(call);
          const isFailing = calls.indexOf(call) + 1 === failing.position;
          if (isFailing && failing.fault === "unreachable") return incoming.socket.destroy();
          const answer = await pass(target, incoming, body);
          if (isFailing) return incoming.socket.destroy();
          return outgoing.writeHead(answer.status, answer.headers).end(answer.body);
        };
        work().catch(() => incoming.socket.destroy());
      });
      return { name, server };
    }),
  );

  return {
    endpoints: Object.fromEntries(
      servers.map(({ name, server }) => [name, server.baseUrl]),
      // The type of `fromEntries` does not keep the names.
    ) as Record<Name, string>,
    async during(work, position = 0, fault = "unreachable") {
      failing = { position, fault };
      calls = [];
      try {
        return { result: await work(), calls };
      } finally {
        failing = { position: 0, fault };
      }
    },
    async stop() {
      await Promise.all(servers.map(({ server }) => server.stop()));
      agent.destroy();
    },
  };
}

/** The name of a call, which all its attempts share: the SDKs send an id, or at least repeat method and path. */
function nameOf({ method, url, headers }: IncomingMessage): string {
  const id = headers["amz-sdk-invocation-id"] ?? headers["idempotency-key"] ?? "";
  return [headers["x-amz-target"], method, url, id].filter(Boolean).join(" ");
}

interface Limits {
  /** How many transactions on the same items are cancelled while one is in progress. */
  readonly conflictsPerTransaction: number;
  /** How many write units a partition has per second. */
  readonly unitsPerSecond: number;
}

export interface Contention {
  readonly script: FaultScript;
  /** What became of the transactions so far. */
  readonly outcomes: { admitted: number; conflicts: number; throttled: number };
}

/** For each item, a transaction uses one unit to prepare and one to commit, even if the transaction is cancelled. */
const unitsPerItem = 2;

/**
 * Simulates limits that DynamoDB has and its emulators lack: concurrent transactions on one item are cancelled, and a
 * partition accepts a limited number of writes. Here each partition key is one partition; DynamoDB may split it.
 */
export function contention({ conflictsPerTransaction, unitsPerSecond }: Limits): Contention {
  const outcomes = { admitted: 0, conflicts: 0, throttled: 0 };
  /** How many transactions each item will still cancel. A count, not a time: a slow machine sends fewer at a time. */
  const conflictsLeft = new Map<string, number>();
  let second = 0;
  let used = new Map<string, number>();

  function hasUnits(partitions: readonly string[], now: number): boolean {
    if (Math.floor(now / 1000) !== second) {
      second = Math.floor(now / 1000);
      used = new Map();
    }
    for (const partition of partitions) {
      used.set(partition, (used.get(partition) ?? 0) + unitsPerItem);
    }
    return partitions.every((partition) => (used.get(partition) ?? 0) <= unitsPerSecond);
  }

  return {
    outcomes,
    script({ partitions, transactedItems }) {
      if (transactedItems.length === 0) return undefined;
      const now = performance.now();
      if (!hasUnits(partitions, now)) {
        outcomes.throttled += 1;
        return "throttled";
      }
      const occupied = transactedItems.filter((item) => (conflictsLeft.get(item) ?? 0) > 0);
      for (const item of occupied) conflictsLeft.set(item, (conflictsLeft.get(item) ?? 0) - 1);
      if (occupied.length > 0) {
        outcomes.conflicts += 1;
        return "conflict";
      }
      for (const item of transactedItems) conflictsLeft.set(item, conflictsPerTransaction);
      outcomes.admitted += 1;
      return undefined;
    },
  };
}
