import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import type { Stack, StackEnvironment } from "./stack.ts";

const ownFolder = resolve(import.meta.dirname, "../../.local/stacks");

const Note = z.object({
  baseUrl: z.url(),
  environment: z.record(z.string(), z.string()),
  announcedAt: z.number(),
});

/** Writes a file by which other processes find the stack. @returns a function that deletes the file */
export function announce(
  { baseUrl, environment }: Pick<Stack, "baseUrl" | "environment">,
  folder = ownFolder,
): () => void {
  // The time in ms with fractions, from a clock that all processes share.
  const announcedAt = performance.timeOrigin + performance.now();
  // Only one stack can use a port, so an existing file belongs to a stack that was killed.
  const file = join(folder, `${new URL(baseUrl).port}.json`);
  mkdirSync(folder, { recursive: true });
  // Only the owner may read the file, because the environment contains signing keys.
  writeFileSync(file, JSON.stringify({ baseUrl, environment, announcedAt }), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** The stack that was started last, among those that respond. */
export async function runningStack(
  folder = ownFolder,
): Promise<Pick<Stack, "baseUrl" | "environment"> | undefined> {
  const notes = notesIn(folder).toSorted((one, other) => other.announcedAt - one.announcedAt);
  for (const { baseUrl, environment } of notes) {
    if (await answers(baseUrl)) return { baseUrl, environment: environment as StackEnvironment };
  }
  return undefined;
}

/** The environment of the running stack's functions. */
export const runningEnvironment = async (
  folder = ownFolder,
): Promise<StackEnvironment | undefined> => (await runningStack(folder))?.environment;

async function answers(baseUrl: string): Promise<boolean> {
  const signal = AbortSignal.timeout(5000);
  const health = await fetch(`${baseUrl}${apiPrefix}/health`, { signal }).catch(() => undefined);
  await health?.body?.cancel();
  return health?.ok ?? false;
}

function notesIn(folder: string): z.output<typeof Note>[] {
  try {
    return readdirSync(folder).flatMap((name) => readNote(join(folder, name)) ?? []);
  } catch {
    return [];
  }
}

/**
 * Returns the stack that a file describes; undefined if the stack has just deleted the file, or was killed while
 * writing it.
 */
function readNote(file: string): z.output<typeof Note> | undefined {
  try {
    return Note.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}
