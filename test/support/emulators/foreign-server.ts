import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

/** A program of others is not available on this machine; the message gives the reason in one line. */
export class NotToBeHad extends Error {
  override readonly name = "NotToBeHad";
}

/** A server of others, which runs until it is stopped. */
export interface ForeignServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

const startMs = 60_000;

/**
 * Starts a program that listens on a port of loopback. It ends with this process.
 *
 * @param command the program and its arguments
 * @throws NotToBeHad when it exits instead of listening, for example without a native library for this machine
 */
export async function startForeignServer(
  name: string,
  [program, ...options]: readonly [string, ...string[]],
  port: number,
): Promise<ForeignServer> {
  const child = spawn(program, options, { stdio: ["ignore", "ignore", "pipe"] });
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => {
    printed = (printed + chunk).slice(-2_000);
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const endpoint = `http://127.0.0.1:${port}`;
  const stop = async () => {
    process.off("exit", kill);
    if (isRunning(child)) {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    }
  };
  const deadline = Date.now() + startMs;
  while (!(await answers(endpoint))) {
    if (isRunning(child) && Date.now() < deadline) {
      await pause(100);
      continue;
    }
    await stop();
    throw new NotToBeHad(`${name} does not start: ${printed.trim().split("\n").at(-1)}`);
  }
  return { endpoint, stop };
}

/** The first line of a failed program's output, or why it could not be started. */
export function said(problem: unknown): string {
  const { stdout, stderr, message } = problem as Partial<Record<"stdout" | "stderr", string>> &
    Error;
  const lines = [stderr, stdout, message].flatMap((text) => text?.split("\n") ?? []);
  return lines.find((line) => line.trim() !== "")?.trim() ?? "it printed nothing";
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode === null && signalCode === null;

/** Whether a server listens at the endpoint. Any response counts. */
const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );
