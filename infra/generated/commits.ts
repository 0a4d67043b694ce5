import { execFileSync } from "node:child_process";
import project from "../../package.json" with { type: "json" };
import { type Release, changelog } from "./changelog.ts";
import type { Contents } from "./generated-files.ts";

const git = (...args: string[]) =>
  execFileSync("git", args, {
    cwd: import.meta.dirname,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  }).trimEnd();

/** The changelog of the commits up to HEAD. A tag such as `v1.2.0` ends a release. */
export function changelogOfCommits(): Contents {
  const { version } = project;
  const tags = git("tag", "--list", "v*", "--merged", "HEAD", "--sort=-v:refname").split("\n");
  const tagged = tags.filter((tag) => tag !== "");
  // `npm version` sets the version before it tags the release. So a version without a tag names the release of the
  // newest commits.
  const next = tagged.includes(`v${version}`) ? null : version;
  const releases = [
    releaseOf(next, "HEAD", tagged[0]),
    ...tagged.map((tag, index) => releaseOf(tag.slice(1), tag, tagged[index + 1])),
  ];
  return {
    ".github/CHANGELOG.md": changelog(releases.filter(({ commits }) => commits.length > 0)),
  };
}

/** Returns a release with the commits up to `to` that `from` does not contain. */
function releaseOf(name: string | null, to: string, from: string | undefined): Release {
  const range = from === undefined ? to : `${from}..${to}`;
  return {
    version: name,
    date: git("log", "-1", "--format=%as", to),
    commits: git("log", "--no-merges", "--format=%s", range).split("\n").filter(Boolean),
  };
}
