import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "#infra/local/emulators/free-port.ts";
import {
  type ForeignServer,
  NotToBeHad,
  said,
  startForeignServer,
} from "#test/support/emulators/foreign-server.ts";

const run = promisify(execFile);

const version = "2.6.1";
const oldestJava = 17;
const cache = join(import.meta.dirname, "../../node_modules/.cache");
const folder = join(cache, `dynamodb-local-${version}`);
const downloadMs = 10 * 60_000;

/**
 * The folder with DynamoDB Local's jars, fetched with Maven at first use.
 *
 * @throws NotToBeHad without Java, or without the jars and a way to fetch them
 */
export async function fetchDynamoDbLocal(): Promise<string> {
  await requireJava();
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const partial = mkdtempSync(join(cache, "dynamodb-local-partial-"));
  try {
    const pom = join(import.meta.dirname, "pom.xml");
    const copy = ["dependency:copy-dependencies", `-DoutputDirectory=${partial}`];
    await run("mvn", ["-q", "-B", "-f", pom, ...copy], { timeout: downloadMs }).catch(
      (problem: unknown) => {
        throw new NotToBeHad(`Maven could not fetch DynamoDB Local ${version}: ${said(problem)}`);
      },
    );
    // Renaming makes the folder appear only when it is complete, even if two processes fetch it concurrently.
    if (!existsSync(folder)) renameSync(partial, folder);
    return folder;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

async function requireJava(): Promise<void> {
  const { stderr } = await run("java", ["-version"]).catch((problem: unknown) => {
    throw new NotToBeHad(`there is no Java ${oldestJava}: ${said(problem)}`);
  });
  const [, major] = /version "(\d+)/.exec(stderr) ?? [];
  if (!(Number(major) >= oldestJava)) {
    throw new NotToBeHad(`it needs Java ${oldestJava}, but finds Java ${major ?? "unknown"}`);
  }
}

/**
 * Starts DynamoDB Local, empty and in memory, on a free port of loopback. It ends with this process.
 *
 * @param jars the folder with its jars
 * @throws NotToBeHad when it exits instead of listening
 */
export async function startDynamoDbLocal(jars: string): Promise<ForeignServer> {
  const port = await freePort();
  const program = ["-cp", `${jars}/*`, "com.amazonaws.services.dynamodbv2.local.main.ServerRunner"];
  const options = ["-port", String(port), "-inMemory", "-sharedDb", "-disableTelemetry"];
  return startForeignServer("DynamoDB Local", ["java", ...program, ...options], port);
}
