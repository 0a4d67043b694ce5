import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, globSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { cpuSecondsOf, descendantsOf } from "./cpu.ts";
import type { Cell, Section } from "./report.ts";

type Command = readonly [program: string, ...args: string[]];

/** Name → command. */
const groups: Readonly<Record<string, Command>> = {
  "npm test": ["npm", "test"],
  "npm test -- <an API file>": ["npm", "test", "--", "test/api/account/addresses.test.ts"],
  "npm test -- <a unit file>": ["npm", "test", "--", "test/unit/domain/base/money.test.ts"],
  "npm run test:bundled": ["npm", "run", "test:bundled"],
  ".ci/run after npm ci": ["npm", "run", "test:all", "--", "--ci"],
};

/** Processes that start and end between two samples are not counted. */
const sampleMs = 100;

interface Cost {
  readonly passed: boolean;
  readonly cpuSeconds: number;
  readonly seconds: number;
}

/** Runs a command, and adds up the CPU time of all its processes, the emulators included. */
async function costOf([program, ...args]: Command): Promise<Cost> {
  const began = performance.now();
  const log = join(tmpdir(), `bench-suite-${process.pid}.log`);
  const output = openSync(log, "w");
  const child = spawn(program, args, { stdio: ["ignore", output, output] });
  const used = new Map<number, number>();
  const ended = once(child, "exit") as Promise<[number | null]>;
  while (child.exitCode === null && child.signalCode === null) {
    for (const pid of descendantsOf(child.pid ?? 0)) {
      used.set(pid, Math.max(used.get(pid) ?? 0, cpuSecondsOf([pid])));
    }
    await pause(sampleMs);
  }
  const [code] = await ended;
  closeSync(output);
  if (code === 0) rmSync(log);
  else console.error(`What it said is in ${log}.`);
  return {
    passed: code === 0,
    cpuSeconds: [...used.values()].reduce((sum, each) => sum + each, 0),
    seconds: (performance.now() - began) / 1000,
  };
}

/** Runs, and says on stderr what came of it: a whole table takes the better part of an hour. */
async function row(name: string, command: Command): Promise<Cell[]> {
  const { passed, cpuSeconds, seconds } = await costOf(command);
  const result = passed ? "passed" : "failed";
  console.error(`${name}: ${result}, ${cpuSeconds.toFixed(1)} CPU s, ${seconds.toFixed(1)} s`);
  return [name, result, cpuSeconds, seconds];
}

/** Lines of all TypeScript files of the tests. */
function linesOfTests(): number {
  const files = globSync("test/**/*.ts");
  const lines = files.reduce(
    (sum, file) => sum + readFileSync(file, "utf8").split("\n").length - 1,
    0,
  );
  console.error(`lines of tests (.ts): ${lines}`);
  return lines;
}

/** What the test suite costs, by group. */
export async function suiteSection(): Promise<Section> {
  const rows: Cell[][] = [];
  for (const [name, command] of Object.entries(groups)) rows.push(await row(name, command));
  rows.push([`lines of tests (.ts): ${linesOfTests()}`, null, null, null]);
  return {
    title: "The test suite",
    note: "CPU seconds of Node and the emulators, and the time that a person waits. Close other programs first.",
    columns: ["Run", "Result", "CPU s", "s"],
    rows,
  };
}

const loops = 4;
const times = 5;

/** Whether `npm test` passes while the machine has twice as much other work as cores, five times in a row. */
export async function loadedSuiteSection(): Promise<Section> {
  const busy = Array.from({ length: loops }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  try {
    const rows: Cell[][] = [];
    for (let time = 1; time <= times; time++) rows.push(await row(`run ${time}`, ["npm", "test"]));
    return {
      title: `The test suite beside ${loops} busy loops`,
      note: "Each run must pass.",
      columns: ["Run", "Result", "CPU s", "s"],
      rows,
    };
  } finally {
    for (const each of busy) each.kill("SIGKILL");
  }
}
