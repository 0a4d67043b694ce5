import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const pauseMs = 50;

/**
 * Runs work in one process at a time; the others wait for their turn. A process that ended during its work does not
 * block them.
 *
 * @param claim file that names the process whose turn it is
 */
export async function oneAtATime<Result>(
  claim: string,
  work: () => Promise<Result>,
): Promise<Result> {
  mkdirSync(dirname(claim), { recursive: true });
  while (!take(claim)) await delay(pauseMs);
  try {
    return await work();
  } finally {
    rmSync(claim, { force: true });
  }
}

function take(claim: string): boolean {
  try {
    writeFileSync(claim, String(process.pid), { flag: "wx" });
    return true;
  } catch (problem) {
    if (!(problem instanceof Error && "code" in problem && problem.code === "EEXIST"))
      throw problem;
    if (isLeft(claim)) rmSync(claim, { force: true });
    return false;
  }
}

/** Whether the process that a claim names has ended. */
function isLeft(claim: string): boolean {
  try {
    const owner = Number(readFileSync(claim, "utf8"));
    // Empty while it is being written.
    if (owner > 0) process.kill(owner, 0);
    return false;
  } catch (problem) {
    return problem instanceof Error && "code" in problem && problem.code === "ESRCH";
  }
}
