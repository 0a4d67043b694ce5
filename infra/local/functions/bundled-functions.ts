import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { Worker } from "node:worker_threads";
import type { Context } from "aws-lambda";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { bundleFile } from "#infra/bundle/bundle.ts";
import type { BundledAnswer, BundledCall, BundledWork } from "./bundle-thread.ts";
import type { LocalFunction } from "./lambda.ts";
import { declaredVariables, type Functions } from "./load-function.ts";

/** A thread that runs a bundle, as a Lambda instance does. */
interface Instance {
  readonly name: string;
  call(event: unknown, context: Context): Promise<unknown>;
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

export interface BundledFunctions extends Functions {
  /** CPU seconds so far of each function that has been called. */
  cpuSeconds(): Promise<ReadonlyMap<string, number>>;
  stop(): Promise<void>;
}

/**
 * The bundles of a directory. Each runs in a thread with its own environment and memory, started at its first call.
 * Threads exchange JSON only, as Lambda does.
 */
export function bundledFunctions(bundles: string): BundledFunctions {
  const instances: Instance[] = [];
  let stopped = false;

  function load<Event, Result>(
    deployed: DeployedFunction,
    environment: Readonly<Record<string, string>>,
  ): LocalFunction<Event, Result> {
    const { name, memoryMb, timeoutSeconds } = deployed;
    let instance: Instance | undefined;
    return {
      name,
      memoryMb,
      timeoutSeconds,
      async handler(event, context) {
        if (stopped) throw new Error(`${name} has been stopped`);
        if (!instance) {
          instance = startInstance(bundles, deployed, environment);
          instances.push(instance);
        }
        return (await instance.call(event, context)) as Result;
      },
    };
  }

  return {
    family: async (of, environment) => load(of, environment),
    consumer: async (of, environment) => load(of, environment),
    authorizer: async (of, environment) => load(of, environment),
    async cpuSeconds() {
      const seconds = instances.map(async (each) => [each.name, await each.cpuSeconds()] as const);
      return new Map(await Promise.all(seconds));
    },
    async stop() {
      stopped = true;
      await Promise.all(instances.map((instance) => instance.stop()));
    },
  };
}

function startInstance(
  bundles: string,
  deployed: DeployedFunction,
  environment: Readonly<Record<string, string>>,
): Instance {
  const work: BundledWork = { file: bundleFile(bundles, deployed.name), of: facts(deployed) };
  const thread = new Worker(new URL("bundle-thread.ts", import.meta.url), {
    workerData: work,
    env: { ...ownVariables(), ...declaredVariables(deployed, environment) },
    resourceLimits: { maxOldGenerationSizeMb: deployed.memoryMb },
    stdout: true,
    stderr: true,
  });
  printLines(thread.stdout, console.log);
  printLines(thread.stderr, console.error);
  const waiting = new Map<string, PromiseWithResolvers<unknown>>();
  let calls = 0;
  thread.on("message", ({ id, result, problem }: BundledAnswer) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (problem !== undefined) reject?.(new Error(problem));
    else resolve?.(result === undefined ? undefined : JSON.parse(result));
  });
  const fail = (problem: Error) => {
    for (const { reject } of waiting.values()) reject(problem);
    waiting.clear();
  };
  thread.on("error", fail);
  thread.on("exit", () => fail(new Error(`${deployed.name} has ended`)));

  return {
    name: deployed.name,
    async cpuSeconds() {
      const { user, system } = await thread.cpuUsage();
      return (user + system) / 1e6;
    },
    call(event, context) {
      const id = String(calls++);
      const answer = Promise.withResolvers<unknown>();
      waiting.set(id, answer);
      const call: BundledCall = {
        id,
        event: JSON.stringify(event),
        requestId: context.awsRequestId,
      };
      thread.postMessage(call);
      return answer.promise;
    },
    async stop() {
      const ended = once(thread, "exit");
      await thread.terminate();
      await ended.catch(() => undefined);
    },
  };
}

/**
 * Prints lines through this process's console, so that a test that captures the console also gets the functions' logs.
 */
function printLines(from: Readable, print: (line: string) => void): void {
  createInterface(from).on("line", (line) => print(line));
}

const facts = ({ name, memoryMb, timeoutSeconds }: DeployedFunction) => ({
  name,
  memoryMb,
  timeoutSeconds,
});

/**
 * The credentials that Lambda sets in every function's environment, and this process's timeouts. If the stack uses AWS
 * itself, these are the credentials of this process.
 */
function ownVariables(): Record<string, string> {
  const variables = Object.entries(process.env).filter(
    ([name]) => name.startsWith("AWS_") || name === "TIMEOUT_MULTIPLIER",
  );
  return {
    AWS_REGION: "local",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    ...(Object.fromEntries(variables) as Record<string, string>),
  };
}
