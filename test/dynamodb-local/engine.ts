import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "#infra/local/emulators/free-port.ts";
import { NotToBeHad } from "./fetch.ts";

export interface Engine {
  readonly endpoint: string;
  stop(): Promise<void>;
}

const main = "com.amazonaws.services.dynamodbv2.local.main.ServerRunner";
const startMs = 60_000;

/**
 * Starts DynamoDB Local, empty and in memory, on a free port of loopback. It ends with this process.
 *
 * @param folder with its jars
 * @throws NotToBeHad when it exits instead of listening, for example without a native library for this machine
 */
export async function startEngine(folder: string): Promise<Engine> {
  const port = await freePort();
  const program = ["-cp", `${folder}/*`, main];
  const options = ["-port", String(port), "-inMemory", "-sharedDb", "-disableTelemetry"];
  const java = spawn("java", [...program, ...options], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  java.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk).slice(-2_000);
  });
  const kill = () => java.kill("SIGKILL");
  process.once("exit", kill);
  const endpoint = `http://127.0.0.1:${port}`;
  const stop = async () => {
    process.off("exit", kill);
    if (isRunning(java)) {
      const ended = once(java, "exit");
      java.kill();
      await ended;
    }
  };
  const deadline = Date.now() + startMs;
  while (!(await answers(endpoint))) {
    if (isRunning(java) && Date.now() < deadline) {
      await pause(100);
      continue;
    }
    await stop();
    throw new NotToBeHad(`DynamoDB Local does not start: ${said.trim().split("\n").at(-1)}`);
  }
  return { endpoint, stop };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode === null && signalCode === null;

/** Whether a server listens at the endpoint. Any response counts. */
const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );
