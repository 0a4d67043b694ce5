import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as z from "zod";

const root = join(import.meta.dirname, "../..");

/** Where the mutation tester and its copies of the project are kept. */
export const workFolder = join(root, ".local/mutation");

/** A change of the sources that a test should notice. Lines and columns count from 1. */
export const Mutant = z.object({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  mutator: z.string(),
  original: z.string(),
  replacement: z.string(),
});
export type Mutant = z.infer<typeof Mutant>;

const placeOf = ({ file, line, column }: Mutant): string => `${file}:${line}:${column}`;

/** Names a mutant with the length of its code, because several may begin at one place: `a && b` in `a && b && c`. */
export const keyOf = (mutant: Mutant): string =>
  `${placeOf(mutant)}+${mutant.original.length} ${mutant.mutator} ${mutant.replacement}`;

interface SourceFile {
  readonly name: string;
  readonly content: string;
  readonly mutate: true;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** What we use of `@stryker-mutator/instrumenter`. Its lines count from 0. */
interface Instrumenter {
  instrument(
    files: readonly SourceFile[],
    options: object,
  ): Promise<{
    files: { name: string; content: string }[];
    mutants: {
      id: string;
      fileName: string;
      mutatorName: string;
      replacement: string;
      status?: "Ignored";
      location: { start: Position; end: Position };
    }[];
  }>;
}

const stryker = "@stryker-mutator/instrumenter@10.1.1";

/**
 * Stryker's instrumenter, which is installed beside the project, because only this command needs it.
 *
 * @throws if npm cannot install it
 */
async function instrumenter(): Promise<Instrumenter> {
  const folder = join(workFolder, "stryker");
  const entry = join(folder, "node_modules/@stryker-mutator/instrumenter/dist/src/index.js");
  if (!existsSync(entry)) {
    mkdirSync(folder, { recursive: true });
    const flags = ["--no-audit", "--no-fund", "--no-save", "--loglevel", "error"];
    const npm = ["install", ...flags, "--prefix", folder, stryker];
    const { status, stderr } = spawnSync("npm", npm, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`npm could not install ${stryker}:\n${stderr}`);
  }
  const { Instrumenter } = (await import(pathToFileURL(entry).href)) as {
    Instrumenter: new (logger: object) => Instrumenter;
  };
  const silent = { debug: () => {}, info: () => {}, isDebugEnabled: () => false };
  return new Instrumenter(silent);
}

/** Strings are left out: most are texts for people, and the types tell those that are not. */
const options = { plugins: null, ignorers: [], excludedMutations: ["StringLiteral"] };

/** A mutant and the number by which the instrumented code knows it. */
export interface PlacedMutant extends Mutant {
  readonly id: string;
}

/**
 * The sources with all their mutants in place, each behind a switch.
 *
 * @param folder what the file names are relative to
 */
export async function instrumented(
  folder: string,
  names: readonly string[],
): Promise<{ files: { name: string; content: string }[]; mutants: PlacedMutant[] }> {
  const sources = names.map((name): SourceFile => {
    return { name, content: readFileSync(join(folder, name), "utf8"), mutate: true };
  });
  const lines = new Map(sources.map(({ name, content }) => [name, content.split("\n")]));
  const { files, mutants } = await (await instrumenter()).instrument(sources, options);
  const notIgnored = mutants.filter(({ status }) => status === undefined);
  const placed = notIgnored.map(({ id, fileName, mutatorName, replacement, location }) => {
    const { start, end } = location;
    return {
      id,
      file: fileName,
      line: start.line + 1,
      column: start.column + 1,
      mutator: mutatorName,
      original: textBetween(lines.get(fileName) ?? [], start, end),
      replacement,
    };
  });
  return { files, mutants: placed };
}

function textBetween(lines: readonly string[], start: Position, end: Position): string {
  const text = lines.slice(start.line, end.line + 1);
  text[text.length - 1] = text.at(-1)?.slice(0, end.column) ?? "";
  text[0] = text[0]?.slice(start.column) ?? "";
  return text.join("\n");
}

const drawnFrom = ["shared/domain", "shared/application", "shared/http", "functions"];
const seed = "furniture";

/** Draws mutants by a fixed seed: those with the smallest hashes. */
export async function drawMutants(folder: string, count: number): Promise<Mutant[]> {
  const names = globSync(
    drawnFrom.map((each) => `${each}/**/*.ts`),
    { cwd: folder },
  );
  const { mutants } = await instrumented(folder, names.toSorted());
  const rank = (mutant: Mutant) =>
    createHash("sha256")
      .update(`${seed}${placeOf(mutant)} ${mutant.mutator} ${mutant.replacement}`)
      .digest("hex");
  return mutants
    .map((mutant) => ({ mutant: Mutant.parse(mutant), rank: rank(mutant) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

/** Finds a drawn mutant again, also when its lines have moved. */
export function findAgain(
  drawn: Mutant,
  placed: readonly PlacedMutant[],
): PlacedMutant | undefined {
  return placed
    .filter(
      (each) =>
        each.file === drawn.file &&
        each.mutator === drawn.mutator &&
        each.original === drawn.original &&
        each.replacement === drawn.replacement,
    )
    .toSorted(
      (a, b) =>
        Math.abs(a.line - drawn.line) - Math.abs(b.line - drawn.line) ||
        Math.abs(a.column - drawn.column) - Math.abs(b.column - drawn.column),
    )[0];
}
