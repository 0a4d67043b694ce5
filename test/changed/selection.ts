import type { BundleInputs } from "#infra/bundle/bundle.ts";

/** A test file that calls the service: of `api`, `e2e` and `hostile`. */
export interface ServiceFile {
  readonly path: string;
  /** Whether it loads functions itself, so that the record does not know all that it calls. */
  readonly loadsFunctions: boolean;
}

export interface Change {
  /** Paths from the root. */
  readonly changed: readonly string[];
  readonly files: readonly ServiceFile[];
  /** Test file → functions that it called when it last ran; undefined before a first whole run. */
  readonly called: Readonly<Record<string, readonly string[]>> | undefined;
  readonly inputs: BundleInputs;
  /** Test files that import a changed file which no bundle holds, directly or through others. */
  readonly importing: ReadonlySet<string>;
}

/** Changes after which each of these files may fail. */
const everywhere =
  /^(?:test\/support\/|infra\/local\/|test\/vitest\.config\.ts$|package(?:-lock)?\.json$|tsconfig\.json$|\.npmrc$)/;

const isService = /^test\/(?:api|e2e|hostile)\//;
export const isServiceFile = (path: string): boolean => isService.test(path);

/** The functions whose bundles hold one of these files. */
export function functionsWith(
  changed: ReadonlySet<string>,
  inputs: BundleInputs,
): ReadonlySet<string> {
  const holding = Object.entries(inputs).filter(([, held]) =>
    held.some((each) => changed.has(each)),
  );
  return new Set(holding.map(([name]) => name));
}

/** The changed files that no bundle holds. */
export function unbundled(changed: readonly string[], inputs: BundleInputs): string[] {
  const held = new Set(Object.values(inputs).flat());
  return changed.filter((each) => !held.has(each));
}

/**
 * The files that may fail after a change.
 *
 * @returns file → why it was chosen
 */
export function chosenFiles(change: Change): ReadonlyMap<string, string> {
  const { changed, files, called } = change;
  const all = (reason: string) => new Map(files.map(({ path }) => [path, reason]));
  const cause = changed.find((each) => everywhere.test(each));
  if (cause !== undefined) return all(`${cause} changed`);
  const isChanged = new Set(changed);
  const functions = functionsWith(isChanged, change.inputs);
  if (called === undefined && functions.size > 0) return all("no whole run is recorded");
  const reasonFor = ({ path, loadsFunctions }: ServiceFile): string | undefined => {
    if (isChanged.has(path)) return "it changed";
    if (change.importing.has(path)) return "it imports what changed";
    if (functions.size === 0) return undefined;
    const own = called?.[path] ?? [];
    if (own.length === 0) return "the functions that it calls are not recorded";
    if (loadsFunctions) return "it loads functions itself";
    return own.some((name) => functions.has(name)) ? "it called a changed function" : undefined;
  };
  return new Map(
    files.flatMap((file) => {
      const reason = reasonFor(file);
      return reason === undefined ? [] : [[file.path, reason] as const];
    }),
  );
}
