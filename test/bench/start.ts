import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { cpuSecondsOf, descendantsOf, residentMbOf } from "./cpu.ts";
import { type Section, median } from "./report.ts";

const runs = 5;
/** A stack at rest uses less CPU than this, in seconds per second. */
const restingCpu = 0.1;

export interface Start {
  readonly readySeconds: number;
  readonly readyCpuSeconds: number;
  readonly restCpuSeconds: number;
  readonly restMb: number;
  readonly emulatorMb: number;
}

const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, "utf8");
/** Whether a process is the stack: not npm, and not the emulator. */
const isStack = (pid: number): boolean => commandOf(pid).startsWith("node\0");
const isPlanter = (pid: number): boolean => commandOf(pid).includes("plant-shop");

/**
 * Runs `npm start`, by default the stack's, until it is at rest: its consumers have processed the demo shop,
 * and the shop that later starts copy is planted.
 *
 * @param options the folder in which it runs, and the environment
 */
export async function measuredStart(
  options: Pick<SpawnOptions, "cwd" | "env"> = { env: { ...process.env, PORT: "0", DATA_DIR: "" } },
): Promise<Start> {
  const began = performance.now();
  const child = spawn("npm", ["--silent", "start"], {
    ...options,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    for await (const line of createInterface(child.stdout)) if (line.startsWith("Ready")) break;
    const readySeconds = (performance.now() - began) / 1000;
    const all = () => descendantsOf(child.pid ?? 0);
    const stack = all().filter(isStack);
    const readyCpuSeconds = cpuSecondsOf(stack);
    let restCpuSeconds = readyCpuSeconds;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      const now = cpuSecondsOf(stack);
      const used = now - restCpuSeconds;
      restCpuSeconds = now;
      // A first start plants the shop of later ones in another process.
      if (used < 2 * restingCpu && !stack.flatMap(descendantsOf).some(isPlanter)) break;
    }
    return {
      readySeconds,
      readyCpuSeconds,
      restCpuSeconds,
      restMb: residentMbOf(stack),
      emulatorMb: residentMbOf(stack.flatMap(descendantsOf)),
    };
  } finally {
    const ended = once(child, "exit");
    for (const pid of descendantsOf(child.pid ?? 0)) if (isStack(pid)) process.kill(pid, "SIGTERM");
    await ended;
  }
}

/** How soon `npm start` is ready with the demo shop, and what it takes. */
export async function startSection(): Promise<Section> {
  // Fills the cache of compiled code, and plants the shop that the others copy.
  await measuredStart();
  const starts: Start[] = [];
  for (let run = 0; run < runs; run++) starts.push(await measuredStart());
  const of = (name: keyof Start) => median(starts.map((start) => start[name]));
  return {
    title: "Start of the local stack",
    note:
      `Medians of ${runs} runs of \`npm start\` with the demo shop in memory, after one that filled the cache of compiled ` +
      "code and planted the shop. The stack is ready when it answers with the whole catalog. It is at rest when its consumers have processed " +
      "the demo shop, too. CPU time does not depend on the load of the machine as much as time does.",
    columns: ["what", "goal", "reached"],
    rows: [
      ["seconds until ready", 1.5, of("readySeconds")],
      ["CPU seconds until ready", null, of("readyCpuSeconds")],
      ["CPU seconds until at rest", null, of("restCpuSeconds")],
      ["resident MB at rest", 220, of("restMb")],
      ["resident MB of DynamoDB's emulator", null, of("emulatorMb")],
    ],
  };
}
