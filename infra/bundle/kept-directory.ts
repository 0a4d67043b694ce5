import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

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
