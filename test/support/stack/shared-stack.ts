import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { localBundles } from "#infra/local/local-bundles.ts";
import { unusedPermissions } from "../permissions/permission-guard.ts";
import type { SharedStack } from "./own-stack.ts";
import type { StackNews } from "./stack-process.ts";

/** Starts a stack for each worker that asks for one: of the sources, or with `BUNDLED=1` of the bundles. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> =>
  share(project, process.env["BUNDLED"] === "1" ? await localBundles() : undefined);

/** @param bundles directory of bundles to run instead of the sources */
export async function share(
  project: TestProject,
  bundles: string | undefined,
): Promise<() => Promise<void>> {
  const processes: ChildProcess[] = [];
  const stacks = new Map<string, Promise<SharedStack>>();
  const start = (): Promise<SharedStack> => {
    const child = startProcess(bundles);
    processes.push(child);
    return startedStack(child);
  };
  const door = createServer(({ url = "" }, answer) => {
    const stack = stacks.get(url) ?? start();
    stacks.set(url, stack);
    stack.then(
      (started) => answer.end(JSON.stringify(started)),
      (problem: unknown) => answer.writeHead(500).end(String(problem)),
    );
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  project.provide("stacksUrl", `http://127.0.0.1:${(door.address() as AddressInfo).port}`);
  return async () => {
    door.close();
    const found = (await Promise.all(processes.map(stopProcess))).filter((each) => each !== null);
    const problems = found.length > 0 ? found : unneededPermissions(project);
    if (problems.length === 0) return;
    // Vitest only prints an error of the teardown, so the exit code must be set here.
    process.exitCode = 1;
    throw new Error([...new Set(problems)].join("\n"));
  };
}

/** Starts a stack in a process of its own. Its output is printed here, where the reporter collects it. */
function startProcess(bundles: string | undefined): ChildProcess {
  const file = new URL("stack-process.ts", import.meta.url);
  const child = fork(file, bundles === undefined ? [] : [bundles], {
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (text: Buffer) => console.log(String(text).trimEnd()));
  return child;
}

/** @throws if the process exits before it tells something */
async function nextNews(child: ChildProcess): Promise<StackNews> {
  const exited = once(child, "exit").then(() => {
    throw new Error("The process of a shared stack has exited.");
  });
  const [news] = (await Promise.race([once(child, "message"), exited])) as [StackNews];
  return news;
}

async function startedStack(child: ChildProcess): Promise<SharedStack> {
  const news = await nextNews(child);
  if ("stack" in news) return news.stack;
  throw new Error(String(news.problem));
}

/** @returns what the guards of the stack have found; null if nothing */
async function stopProcess(child: ChildProcess): Promise<string | null> {
  if (!child.connected) return "The process of a shared stack has exited before the tests ended.";
  const news = nextNews(child);
  child.send("stop");
  const ended = await news;
  return "problem" in ended ? ended.problem : null;
}

/**
 * The declared permissions that no test needed. They are known only when all API tests have run and passed; until then
 * the list is empty.
 */
function unneededPermissions({ name, vitest }: TestProject): string[] {
  const passed = new Set(
    vitest.state
      .getTestModules()
      .flatMap((module) => (module.ok() ? [module.relativeModuleId] : [])),
  );
  const isWhole = globSync("test/api/**/*.test.ts").every((file) => passed.has(file));
  if (name !== "service" || vitest.config.testNamePattern || !isWhole) return [];
  return unusedPermissions().map((each) => `Declared permission that no test needed: ${each}`);
}
