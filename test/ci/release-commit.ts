import { execFileSync } from "node:child_process";

/** Whether these added files are those of a release: its rows, as `npm version` adds them. */
export const areOfRelease = (added: readonly string[]): boolean =>
  added.some((file) => /^test\/rows\/\d+\.\d+\.\d+\.jsonl$/.test(file));

/**
 * Whether HEAD's commit is a release. A merge commit counts as what it adds to its first parent.
 *
 * @returns undefined where HEAD's parent is not known, as in a clone of depth 1
 */
export function isReleaseCommit(root: string): boolean | undefined {
  const args = ["diff", "--name-only", "--diff-filter=A", "HEAD^", "HEAD", "--", "test/rows"];
  try {
    const added = execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: "pipe" });
    return areOfRelease(added.split("\n"));
  } catch {
    return undefined;
  }
}
