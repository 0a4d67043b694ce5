import { readFileSync, readdirSync } from "node:fs";
import { median } from "./report.ts";

/** CPU time of this process so far, in microseconds. */
const ownMicroseconds = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/**
 * CPU time of one call of `work`, in microseconds: the median of several batches, after a warm-up of the same
 * length.
 *
 * @param batch calls between two readings of the clock
 */
export async function cpuMicroseconds(
  work: () => unknown,
  batch: number,
  batches = 7,
): Promise<number> {
  const samples: number[] = [];
  for (let run = 0; run < 2 * batches; run++) {
    const before = ownMicroseconds();
    for (let call = 0; call < batch; call++) await work();
    if (run >= batches) samples.push((ownMicroseconds() - before) / batch);
  }
  return median(samples);
}

/** All descendants of a process. */
export function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const parent = fieldsOf(entry)?.[1];
    if (parent)
      children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(entry)]);
  }
  const below = (of: number): number[] =>
    (children.get(of) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

const ticksPerSecond = 100;

/** Total CPU seconds of these processes. */
export function cpuSecondsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = fieldsOf(String(pid));
    return sum + (Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0)) / ticksPerSecond;
  }, 0);
}

const bytesPerPage = 4_096;

/** Total MB of memory of these processes; shared memory counts for each. */
export const residentMbOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + Number(fieldsOf(String(pid))?.[21] ?? 0), 0) *
  (bytesPerPage / 2 ** 20);

/** The fields of `/proc/<pid>/stat` after the name, which may contain any character. */
function fieldsOf(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
