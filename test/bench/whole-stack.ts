import { type ChildProcess, type ForkOptions, fork } from "node:child_process";
import { once } from "node:events";
import { cpus } from "node:os";
import type { Load, LoadResult } from "./load-driver.ts";
import type { Cell, Section } from "./report.ts";
import { scenarios } from "./scenarios.ts";
import type { BareCall, BareCost } from "./sdk-process.ts";
import type { CpuNews, CpuQuestion, StackNews } from "./server-process.ts";
import { sendTo } from "./visit-calls.ts";

const warmSeconds = 1;
const measuredSeconds = 2;
export const busy = 16;
export const connectionCounts = [1, busy];

export interface Child {
  ask<Answer>(message: object): Promise<Answer>;
  readonly news: Promise<unknown>;
  stop(): Promise<void>;
}

/** @param execArgv flags for Node */
export function start(
  file: string,
  execArgv: string[] = [],
  args: string[] = [],
  options: Pick<ForkOptions, "cwd" | "env" | "execPath"> = {},
): Child {
  const child: ChildProcess = fork(new URL(file, import.meta.url), args, {
    ...options,
    execArgv,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const next = async () => ((await once(child, "message")) as [unknown])[0];
  return {
    news: file.includes("driver") ? Promise.resolve() : next(),
    async ask<Answer>(message: object) {
      const answer = next();
      child.send(message);
      return (await answer) as Answer;
    },
    async stop() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

/**
 * CPU time per visit of a server process while the driver visits it.
 *
 * @param load.seconds of measuring; default: 2
 * @param question with `rest`, the consumers' work after the visits is not included
 */
export async function costOf(
  server: Child,
  driver: Child,
  load: Omit<Load, "seconds"> & { readonly seconds?: number },
  question: CpuQuestion = {},
) {
  await driver.ask<LoadResult>({ ...load, seconds: warmSeconds });
  const before = await server.ask<CpuNews>(question);
  const result = await driver.ask<LoadResult>({ seconds: measuredSeconds, ...load });
  const after = await server.ask<CpuNews>(question);
  if (result.failure !== undefined) throw new Error(result.failure);
  const ms = (seconds: number) => (seconds * 1000) / result.visits;
  const emulator = ms(after.emulatorSeconds - before.emulatorSeconds);
  return {
    ms: ms(after.cpuSeconds - before.cpuSeconds) + emulator,
    emulator,
    answering: ms(after.answeringSeconds - before.answeringSeconds),
    consumers: ms(after.consumerSeconds - before.consumerSeconds),
    perSecond: result.visits / result.seconds,
    p50: result.p50,
    p99: result.p99,
    residentMb: after.residentMb,
  };
}

/** The total bytes of one visit's responses, so that the floor can return as many. */
async function bytesOf(name: string, target: StackNews): Promise<{ body: string; calls: number }> {
  const send = sendTo(target.baseUrl);
  const bodies: string[] = [];
  await scenarios[name]?.visit(async (request) => {
    const reply = await send(request);
    bodies.push(reply.body);
    return reply;
  }, target);
  return {
    body: "x".repeat(Math.round(bodies.join("").length / bodies.length)),
    calls: bodies.length,
  };
}

/** CPU milliseconds per visit over real HTTP, of all processes together. */
async function wholeRows(
  { stack, floor, driver }: Record<"stack" | "floor" | "driver", Child>,
  goals: ReadonlyMap<string, number>,
): Promise<Cell[][]> {
  const target = (await stack.news) as StackNews;
  const bare = (await floor.news) as { baseUrl: string };
  const rows: Cell[][] = [];
  for (const name of Object.keys(scenarios)) {
    const { body, calls } = await bytesOf(name, target);
    await floor.ask({ body });
    for (const connections of connectionCounts) {
      const load = { baseUrl: target.baseUrl, scenario: name, target, connections };
      const reached = await costOf(stack, driver, load);
      const answering = await costOf(stack, driver, load, { rest: true });
      const least = await costOf(floor, driver, { baseUrl: bare.baseUrl, target, connections });
      rows.push([
        name,
        connections,
        goals.get(name) ?? null,
        reached.ms,
        reached.emulator,
        answering.ms,
        answering.emulator,
        least.ms * calls,
        reached.ms / (least.ms * calls),
        reached.p50,
        reached.p99,
        Math.round(reached.perSecond),
        Math.round(reached.residentMb),
      ]);
    }
  }
  return rows;
}

/** The CPU cost of a visit in the threads of the functions, and (`bare`) that of its calls to DynamoDB alone. */
interface OwnCost {
  readonly calls: number;
  /** CPU time of the families and the authorizer, in ms per visit. */
  readonly answering: number;
  readonly consumers: number;
  readonly bare: BareCost;
}

async function ownCosts(driver: Child): Promise<Map<string, OwnCost>> {
  const [stack, bareCalls] = [
    start("./server-process.ts", [], ["threads"]),
    start("./sdk-process.ts"),
  ];
  try {
    const target = (await stack.news) as StackNews;
    await bareCalls.news;
    const costs = new Map<string, OwnCost>();
    for (const name of Object.keys(scenarios)) {
      const calls = await stack.ask<BareCall[]>({ callsOf: name });
      const load = { baseUrl: target.baseUrl, scenario: name, target, connections: busy };
      const { answering, consumers } = await costOf(stack, driver, load);
      const bare =
        calls.length === 0
          ? { ownMs: 0, emulatorMs: 0 }
          : await bareCalls.ask<BareCost>({ calls, connections: busy, seconds: measuredSeconds });
      costs.set(name, { calls: calls.length, answering, consumers, bare });
    }
    return costs;
  } finally {
    await Promise.all([stack.stop(), bareCalls.stop()]);
  }
}

/** The CPU time that our own code may use for an HTTP request, without its calls to DynamoDB, in ms. */
const ownMsPerRequest = 0.25;

function goalOf(name: string, { bare }: OwnCost): number {
  const { goal, calls = 1 } = scenarios[name] ?? {};
  return goal ?? bare.ownMs + bare.emulatorMs + calls * ownMsPerRequest;
}

export async function wholeStackSection(): Promise<Section> {
  const driver = start("./load-driver.ts");
  try {
    const own = await ownCosts(driver);
    const goals = new Map(Array.from(own, ([name, cost]) => [name, goalOf(name, cost)]));
    const [stack, floor] = [start("./server-process.ts"), start("./floor-process.ts")];
    const whole = await wholeRows({ stack, floor, driver }, goals).finally(() =>
      Promise.all([stack.stop(), floor.stop()]),
    );
    return {
      title: "Whole stack",
      note:
        "CPU time per visit over HTTP, in milliseconds, of gateway, functions, consumers, mail and emulators together. A whole " +
        "checkout is five calls. The column with consumers at rest leaves out the consumers' work. The floor is a bare node:http server that answers as many calls with as many bytes. " +
        `The last columns were measured at ${busy} connections, with each function as a bundle in a separate thread, because Lambda ` +
        "bills each function separately. They show the CPU time of the families' threads, of the consumers' threads, and of the same calls to DynamoDB with the bare SDK. " +
        `Measured on ${cpus()[0]?.model ?? "an unknown processor"}, ${cpus().length} cores; the driver is another process.`,
      columns: [
        "visit",
        "connections",
        "goal ms",
        "CPU ms",
        "of it DynamoDB's emulator",
        "with consumers at rest",
        "of that the emulator",
        "floor ms",
        "× floor",
        "p50 ms",
        "p99 ms",
        "per second",
        "gateway MB",
        "calls to DynamoDB",
        "families' own ms",
        "consumers' own ms",
        "bare SDK calls, own ms",
        "their emulator ms",
      ],
      rows: whole.map((row) => [...row, ...ownCells(own.get(String(row[0])), row[1])]),
    };
  } finally {
    await driver.stop();
  }
}

const ownCells = (cost: OwnCost | undefined, connections: Cell | undefined): Cell[] =>
  cost === undefined || connections !== busy
    ? [null, null, null, null, null]
    : [cost.calls, cost.answering, cost.consumers, cost.bare.ownMs, cost.bare.emulatorMs];
