export interface Release {
  /** Null for commits that no version contains yet. */
  readonly version: string | null;
  /** Date of the release's last commit, as YYYY-MM-DD. */
  readonly date: string;
  /**
   * Subjects of the release's commits, such as `feat(cart): reserve stock`. The changelog shows features, speed-ups,
   * fixes and breaking changes.
   */
  readonly commits: readonly string[];
}

const sections = { feat: "Added", perf: "Changed", fix: "Fixed" } as const;
type Kind = keyof typeof sections;
const isKind = (kind: string | undefined): kind is Kind => kind !== undefined && kind in sections;

const header = `# Changelog

Written from the commits by \`npm run generate changelog\`; do not edit. The format is that of
[Keep a Changelog](https://keepachangelog.com/en/1.1.0/), the versions are [semantic](https://semver.org).
`;

/**
 * The changelog as Markdown. The first release lists only features, because no earlier release had the faults that its
 * other commits repair.
 *
 * @param releases newest first
 */
export function changelog(releases: readonly Release[]): string {
  const parts = releases.map((release, index) =>
    releaseText(release, index === releases.length - 1 ? ["feat"] : ["feat", "perf", "fix"]),
  );
  return [header, ...parts].join("\n");
}

function releaseText({ version, date, commits }: Release, kinds: readonly Kind[]): string {
  const title = version === null ? "## [Unreleased]" : `## [${version}] - ${date}`;
  const entries = commits.flatMap(entryOf);
  const parts = kinds.flatMap((kind) => {
    const lines = new Set(entries.filter((entry) => entry.kind === kind).map(({ line }) => line));
    return lines.size > 0 ? [`### ${sections[kind]}\n\n${[...lines].toSorted().join("\n")}\n`] : [];
  });
  return [`${title}\n`, ...parts].join("\n");
}

function entryOf(subject: string): { kind: Kind; line: string }[] {
  const { kind, scope, breaking, text } =
    /^(?<kind>[a-z]+)(?:\((?<scope>[^)]*)\))?(?<breaking>!)?: (?<text>.+)$/.exec(subject)?.groups ??
    {};
  if (text === undefined) return [];
  const line = (mark: string) => `- **${scope ?? "all"}**: ${mark}${text}`;
  // A breaking change is listed regardless of its kind.
  if (breaking) return [{ kind: isKind(kind) ? kind : "perf", line: line("(breaking) ") }];
  return isKind(kind) ? [{ kind, line: line("") }] : [];
}
