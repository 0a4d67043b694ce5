import { execFileSync } from "node:child_process";

/**
 * Files that differ from a commit, as paths from the root: also those that are not committed yet, and new ones.
 *
 * @param since default: HEAD. For a branch, the commit at which HEAD left it
 */
export function changedFiles(root: string, since = "HEAD"): string[] {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  const base = git("merge-base", since, "HEAD").trim();
  const outputs = [
    git("diff", "--name-only", "-z", base),
    git("ls-files", "--others", "--exclude-standard", "-z"),
  ];
  const files = outputs.flatMap((output) => output.split("\0")).filter((file) => file !== "");
  return [...new Set(files)].toSorted();
}

/** Takes `--changed`, and the commit that may follow it, out of a command's parameters. */
export function changedOption(args: readonly string[]): {
  readonly isChanged: boolean;
  readonly since: string | undefined;
  readonly others: readonly string[];
} {
  const at = args.findIndex((each) => each === "--changed" || each.startsWith("--changed="));
  const option = args[at];
  if (option === undefined) return { isChanged: false, since: undefined, others: args };
  const next = args[at + 1];
  const [, given] = option.split("=");
  const follows = given === undefined && next !== undefined && !next.startsWith("-");
  return {
    isChanged: true,
    since: follows ? next : given,
    others: args.toSpliced(at, follows ? 2 : 1),
  };
}
