import { existsSync, globSync, rmSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Makes a directory once and keeps it. Processes that need it at the same time each fill a directory of their own, and
 * the first one is kept. So the directory is never incomplete, even if a process ends while it fills one.
 *
 * @param fill writes the content into the directory that it receives
 * @returns `path`
 */
export async function keptDirectory(
  path: string,
  fill: (directory: string) => Promise<void>,
): Promise<string> {
  if (existsSync(path)) return path;
  await mkdir(dirname(path), { recursive: true });
  const scratch = await mkdtemp(`${path}.`);
  try {
    await fill(scratch);
    await rename(scratch, path);
  } catch (problem) {
    if (!existsSync(path)) throw problem;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return path;
}

/**
 * Removes the directories beside a kept directory that have not changed for a time. It never removes the directory
 * itself, which another process may have begun to read.
 *
 * @param keptMs how long the others are kept, because other processes may still read them
 */
export function removeOthers(path: string, keptMs: number): void {
  const folder = dirname(path);
  for (const name of globSync("*", { cwd: folder })) {
    const each = join(folder, name);
    const stats = statSync(each, { throwIfNoEntry: false });
    if (each !== path && stats?.isDirectory() && Date.now() - stats.mtimeMs > keptMs)
      rmSync(each, { recursive: true, force: true });
  }
}
