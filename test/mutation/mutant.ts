import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { Change, type Mutation, Operator, isSameChange, mutationsOf } from "./mutations.ts";

/** Layer → the folder from which its mutants are drawn. */
export const layers = {
  domain: "shared/domain",
  application: "shared/application",
  storage: "shared/storage",
  http: "shared/http",
  functions: "functions",
} as const;
export const Layer = z.enum(["domain", "application", "storage", "http", "functions"]);

/** A drawn change of the sources. */
export const Mutant = Change.extend({
  id: z.string(),
  layer: Layer,
  /** Where it was when it was drawn. */
  file: z.string(),
});
export type Mutant = z.infer<typeof Mutant>;

/** The sources: path, relative to the project, → text. */
export type Sources = ReadonlyMap<string, string>;

/** Reads all sources in which a mutant may be. */
export function readSources(folder: string): Sources {
  const names = globSync(["shared/**/*.ts", "functions/**/*.ts"], {
    cwd: folder,
    exclude: ["shared/client/**"],
  });
  return new Map(names.toSorted().map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Where a mutant is now. */
export interface Place {
  readonly mutant: Mutant;
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  readonly mutation: Mutation;
}

/**
 * Finds mutants by declaration and text. A declaration of the same name in the file where the mutant was drawn comes
 * first; if that file no longer declares the name, then the nearest other file, by path, that has the change.
 *
 * @returns the place of each mutant; undefined if its declaration or its text is gone
 */
export function findMutants(
  mutants: readonly Mutant[],
  sources: Sources,
): ReadonlyMap<Mutant, Place | undefined> {
  const names = new Set(mutants.map(({ within }) => within));
  const byName = new Map<string, { file: string; mutation: Mutation }[]>();
  for (const [file, text] of sources)
    for (const mutation of mutationsOf(text))
      if (names.has(mutation.within)) {
        const known = byName.get(mutation.within) ?? [];
        byName.set(mutation.within, [...known, { file, mutation }]);
      }
  return new Map(
    mutants.map((mutant) => {
      const declared = byName.get(mutant.within) ?? [];
      const inItsFile = declared.filter(({ file }) => file === mutant.file);
      const found = (inItsFile.length > 0 ? inItsFile : declared)
        .filter(({ mutation }) => isSameChange(mutation, mutant))
        .toSorted((a, b) => sharedFolders(b.file, mutant.file) - sharedFolders(a.file, mutant.file))
        .at(0);
      const { file, mutation } = found ?? {};
      if (file === undefined || mutation === undefined) return [mutant, undefined];
      const line = lineOf(sources.get(file) ?? "", mutation.start);
      return [mutant, { mutant, file, line, mutation }];
    }),
  );
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

function sharedFolders(a: string, b: string): number {
  const names = new Set(b.split("/"));
  return a.split("/").filter((name) => names.has(name)).length;
}

/**
 * Draws mutants: as many from each layer, and of a layer as many of each operator, as there are; of a declaration at
 * most one. The same seed draws the same mutants from the same sources.
 */
export function drawMutants(
  sources: Sources,
  { count, seed }: { readonly count: number; readonly seed: string },
): Mutant[] {
  return Layer.options.flatMap((layer, index) => {
    const share = Math.floor((count + index) / Layer.options.length);
    const ranked = [...sources]
      .filter(([file]) => file.startsWith(`${layers[layer]}/`))
      .flatMap(([file, text]) => mutationsOf(text).map((mutation) => ({ file, mutation })))
      .map(({ file, mutation }) => ({ rank: rankOf(seed, file, mutation), file, mutation }))
      .toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
    const drawn: Mutant[] = [];
    const used = new Set<string>();
    let isExhausted = false;
    while (drawn.length < share && !isExhausted) {
      isExhausted = true;
      for (const operator of Operator.options) {
        const next = ranked.find(
          ({ file, mutation }) =>
            mutation.operator === operator && !used.has(`${file} ${mutation.within}`),
        );
        if (next === undefined || drawn.length === share) continue;
        isExhausted = false;
        used.add(`${next.file} ${next.mutation.within}`);
        drawn.push(
          Mutant.parse({ ...next.mutation, id: next.rank.slice(-8), layer, file: next.file }),
        );
      }
    }
    return drawn;
  });
}

function rankOf(seed: string, file: string, mutation: Mutation): string {
  const { operator, within, original, replacement, occurrence } = mutation;
  const key = [seed, file, operator, within, original, replacement, occurrence].join("\0");
  return createHash("sha256").update(key).digest("hex");
}

/** A source text with each mutation behind a switch of its own, `globalThis.mutant(id)`; off where there is none. */
export function withSwitches(
  text: string,
  switches: readonly { readonly id: string; readonly mutation: Mutation }[],
): string {
  const inOrder = switches.toSorted(
    ({ mutation: a }, { mutation: b }) => a.start - b.start || b.end - a.end,
  );
  const between = (start: number, end: number, inside: typeof inOrder): string => {
    const [first, ...others] = inside;
    if (first === undefined) return text.slice(start, end);
    const { mutation, id } = first;
    const nested = others.filter((each) => each.mutation.end <= mutation.end);
    const after = others.filter((each) => each.mutation.end > mutation.end);
    const original = between(mutation.start, mutation.end, nested);
    const rest = between(mutation.end, end, after);
    return text.slice(start, mutation.start) + switchOf(id, mutation, original) + rest;
  };
  return between(0, text.length, inOrder);
}

function switchOf(id: string, { form, replacement }: Mutation, original: string): string {
  const isOn = `globalThis.mutant?.("${id}")`;
  if (form === "statement") return `{ if (${isOn}) { ${replacement} } else { ${original} } }`;
  if (form === "member") return `...(${isOn} ? { ${replacement} } : { ${original} })`;
  return `(${isOn} ? (${replacement}) : (${original}))`;
}
