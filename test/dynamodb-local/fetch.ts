import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const version = "2.6.1";
const oldestJava = 17;
const cache = join(import.meta.dirname, "../../node_modules/.cache");
const folder = join(cache, `dynamodb-local-${version}`);
const downloadMs = 10 * 60_000;

/** DynamoDB Local is not available on this machine; the message gives the reason in one line. */
export class NotToBeHad extends Error {
  override readonly name = "NotToBeHad";
}

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

/** The first line of a failed program's output, or why it could not be started. */
function said(problem: unknown): string {
  const { stdout, stderr, message } = problem as Partial<Record<"stdout" | "stderr", string>> &
    Error;
  const lines = [stderr, stdout, message].flatMap((text) => text?.split("\n") ?? []);
  return lines.find((line) => line.trim() !== "")?.trim() ?? "it printed nothing";
}
