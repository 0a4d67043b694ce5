import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpus } from "node:os";
import type { Load, LoadResult } from "./load-driver.ts";
import type { Section } from "./report.ts";
import { scenarios } from "./scenarios.ts";
import type { CpuNews, CpuQuestion, StackNews } from "./server-process.ts";

const warmSeconds = 1;
const measuredSeconds = 2;
const connectionCounts = [1, 16];

export interface Child {
  ask<Answer>(message: object): Promise<Answer>;
  readonly news: Promise<unknown>;
  stop(): Promise<void>;
}

/** @param execArgv flags for Node */
export function start(file: string, execArgv: string[] = []): Child {
  const child: ChildProcess = fork(new URL(file, import.meta.url), {
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
 * @param question with `rest`, the consumers' work after the visits is not included
 */
async function costOf(
  server: Child,
  driver: Child,
  load: Omit<Load, "seconds">,
  question: CpuQuestion = {},
) {
  await driver.ask<LoadResult>({ ...load, seconds: warmSeconds });
  const before = await server.ask<CpuNews>(question);
  const result = await driver.ask<LoadResult>({ ...load, seconds: measuredSeconds });
  const after = await server.ask<CpuNews>(question);
  if (result.failure !== undefined) throw new Error(result.failure);
  const ms = (seconds: number) => (seconds * 1000) / result.visits;
  const emulator = ms(after.emulatorSeconds - before.emulatorSeconds);
  return {
    ms: ms(after.cpuSeconds - before.cpuSeconds) + emulator,
    emulator,
    perSecond: result.visits / result.seconds,
    p50: result.p50,
    p99: result.p99,
    residentMb: after.residentMb,
  };
}

/** The total bytes of one visit's responses, so that the floor can return as many. */
async function bytesOf(
  baseUrl: string,
  name: string,
  target: StackNews,
): Promise<{ body: string; calls: number }> {
  let bytes = 0;
  let calls = 0;
  await scenarios[name]?.visit(async ({ method, path, headers, body }) => {
    const answer = await fetch(baseUrl + path, {
      method,
      ...(headers && { headers }),
      ...(body && { body }),
    });
    const text = await answer.text();
    bytes += text.length;
    calls += 1;
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: text };
  }, target);
  return { body: "x".repeat(Math.round(bytes / calls)), calls };
}

export async function wholeStackSection(): Promise<Section> {
  const [stack, floor, driver] = [
    start("./server-process.ts"),
    start("./floor-process.ts"),
    start("./load-driver.ts"),
  ];
  try {
    const target = (await stack.news) as StackNews;
    const bare = (await floor.news) as { baseUrl: string };
    const rows: (string | number | null)[][] = [];
    for (const [name, { goal }] of Object.entries(scenarios)) {
      const { body, calls } = await bytesOf(target.baseUrl, name, target);
      await floor.ask({ body });
      for (const connections of connectionCounts) {
        const load = { baseUrl: target.baseUrl, scenario: name, target, connections };
        const reached = await costOf(stack, driver, load);
        const answering = await costOf(stack, driver, load, { rest: true });
        const least = await costOf(floor, driver, { baseUrl: bare.baseUrl, target, connections });
        rows.push([
          name,
          connections,
          goal,
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
    return {
      title: "Whole stack",
      note:
        "CPU milliseconds per visit over real HTTP, gateway, functions, consumers, mail and emulators together; a whole " +
        "checkout is five calls. With consumers at rest is what answering alone takes. The floor is bare node:http that answers as many calls with as many bytes. " +
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
      ],
      rows,
    };
  } finally {
    await Promise.all([stack.stop(), floor.stop(), driver.stop()]);
  }
}
