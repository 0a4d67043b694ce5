import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { type Send, type Target, type Visit, scenarios } from "./scenarios.ts";
import { vendureVisits } from "./vendure/visits.ts";

/** A message from the benchmark to this process, whose CPU time is not measured. */
export interface Load {
  readonly baseUrl: string;
  /** A scenario's name; without one, the load is plain GETs of `baseUrl`. */
  readonly scenario?: string;
  /** Whether Vendure is visited instead of this service. */
  readonly isVendure?: boolean;
  readonly target: Target;
  readonly connections: number;
  readonly seconds: number;
}
export interface LoadResult {
  readonly visits: number;
  readonly seconds: number;
  /** Percentiles in ms per visit. */
  readonly p50: number;
  readonly p99: number;
  readonly failure?: string;
}

const plainGet: Visit = async (send) => {
  await send({ method: "GET", path: "/" });
};

process.on("message", async (load: Load) => {
  process.send?.(await run(load));
});

async function run(load: Load): Promise<LoadResult> {
  const { baseUrl, target, connections, seconds } = load;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send = sender(baseUrl, agent);
  const visit = visitOf(load);
  const started = performance.now();
  const times: number[] = [];
  let failure: string | undefined;

  const visitor = async () => {
    while (performance.now() - started < seconds * 1000 && failure === undefined) {
      const before = performance.now();
      try {
        await visit(send, target);
        times.push(performance.now() - before);
      } catch (error) {
        failure = String(error);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, visitor));
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    visits: times.length,
    seconds: (performance.now() - started) / 1000,
    p50: at(0.5),
    p99: at(0.99),
    ...(failure !== undefined && { failure }),
  };
}

function visitOf({ scenario, isVendure = false }: Load): Visit {
  if (scenario === undefined) return plainGet;
  return (isVendure ? vendureVisits[scenario] : scenarios[scenario]?.visit) ?? plainGet;
}

function sender(baseUrl: string, agent: Agent): Send {
  const { hostname, port } = new URL(baseUrl);
  return ({ method, path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      request({ agent, hostname, port, method, path, headers }, (answer) => {
        text(answer).then(
          (content) =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: content }),
          reject,
        );
      })
        .on("error", reject)
        .end(body);
    });
}
