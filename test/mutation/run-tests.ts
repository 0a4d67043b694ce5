import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Run {
  /** File to which the results are added, one per line. */
  readonly results: string;
  readonly tests: readonly string[];
  /** The mutant that is switched on. */
  readonly mutant?: string | undefined;
  /** Whether the run notes what each test file runs; then all files run, each in a process of its own. */
  readonly covers?: boolean;
  readonly workers?: number;
  readonly limitMs?: number;
}

/** Process group of each run that goes on → its temporary directory. */
const running = new Map<number, string>();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    for (const [group, scratch] of running) {
      process.kill(-group, "SIGKILL");
      rmSync(scratch, { recursive: true, force: true });
    }
    process.exit(130);
  });

/**
 * Runs test files of the first tier in a folder until one fails.
 *
 * @returns whether vitest passed; "timeout" if it had to be ended
 */
export async function runTests(
  folder: string,
  { results, tests, mutant, covers = false, workers = 1, limitMs }: Run,
): Promise<"passed" | "failed" | "timeout"> {
  const scratch = mkdtempSync(join(tmpdir(), "mutation-"));
  const vitest = ["run", "--config", "test/mutation/vitest.config.ts", ...tests];
  const child = spawn("vitest", covers ? vitest : [...vitest, "--bail", "1"], {
    cwd: folder,
    stdio: ["ignore", covers ? "inherit" : "ignore", "ignore"],
    // A group of its own, which ends as a whole.
    detached: true,
    env: {
      ...process.env,
      TIER: "daily",
      TMPDIR: scratch,
      TEST_FILE_RESULTS: results,
      TEST_WORKERS: String(workers),
      COVERS: covers ? "1" : "0",
      MUTANT: mutant ?? "",
    },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("vitest did not start: run this through npm.");
  running.set(pid, scratch);
  let isLate = false;
  const end = () => {
    isLate = true;
    process.kill(-pid, "SIGKILL");
  };
  const timer = limitMs === undefined ? undefined : setTimeout(end, limitMs);
  const [code] = (await once(child, "exit")) as [number | null];
  clearTimeout(timer);
  running.delete(pid);
  rmSync(scratch, { recursive: true, force: true });
  return isLate ? "timeout" : code === 0 ? "passed" : "failed";
}
