import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { type Release, changelog } from "./changelog.ts";

/** Writes `.github/CHANGELOG.md` from the commits. A tag such as `v1.2.0` ends a release. */
const root = `${import.meta.dirname}/../..`;
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(`${root}/package.json`, "utf8")));

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 }).trimEnd();
const tags = git("tag", "--list", "v*", "--merged", "HEAD", "--sort=-v:refname").split("\n");
const tagged = tags.filter((tag) => tag !== "");

/** Returns a release with the commits up to `to` that `from` does not contain. */
function releaseOf(name: string | null, to: string, from: string | undefined): Release {
  const range = from === undefined ? to : `${from}..${to}`;
  return {
    version: name,
    date: git("log", "-1", "--format=%as", to),
    commits: git("log", "--no-merges", "--format=%s", range).split("\n").filter(Boolean),
  };
}

// `npm version` sets the version before it tags the release. So a version without a tag names the release of the newest
// commits.
const next = tagged.includes(`v${version}`) ? null : version;
const releases = [
  releaseOf(next, "HEAD", tagged[0]),
  ...tagged.map((tag, index) => releaseOf(tag.slice(1), tag, tagged[index + 1])),
];
writeFileSync(
  `${root}/.github/CHANGELOG.md`,
  changelog(releases.filter(({ commits }) => commits.length > 0)),
);
