import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Locks a folder for one stack, and creates it if its parent exists.
 *
 * @returns a function that releases the lock
 * @throws RangeError with a message for the operator
 */
export function claimDataDir(folder: string): () => void {
  const claim = join(folder, "in-use-by");
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
    const owner = ownerOf(claim);
    if (owner !== undefined && isAlive(owner)) {
      throw new RangeError(`another stack (process ${owner}) uses it`);
    }
    writeFileSync(claim, String(process.pid));
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    throw new RangeError(`DATA_DIR=${folder} cannot be used: ${why}.`, { cause: problem });
  }
  return () => rmSync(claim, { force: true });
}

// Not recursive: below folders that cannot be written, such as /proc, Node's recursive mkdir never returns.
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (problem) {
    if (!hasCode(problem, "EEXIST")) throw problem;
    accessSync(join(folder, "."));
  }
}

function ownerOf(claim: string): number | undefined {
  try {
    return Number(readFileSync(claim, "utf8"));
  } catch (problem) {
    if (hasCode(problem, "ENOENT")) return undefined;
    throw problem;
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (problem) {
    return hasCode(problem, "EPERM");
  }
}

const hasCode = (problem: unknown, code: string): boolean =>
  problem instanceof Error && "code" in problem && problem.code === code;
