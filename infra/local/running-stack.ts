import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { apiPrefix } from "#shared/http/route.ts";
import type { Stack, StackEnvironment } from "./stack.ts";

const file = resolve(import.meta.dirname, "../../.local/environment.json");

const Note = z.object({ baseUrl: z.url(), environment: z.record(z.string(), z.string()) });

/** Leaves a note for other processes of where the stack is. @returns what takes it away again */
export function announce({ baseUrl, environment }: Stack): () => void {
  const note = JSON.stringify({ baseUrl, environment }, null, 2);
  mkdirSync(dirname(file), { recursive: true });
  // The environment holds signing keys.
  writeFileSync(file, note, { mode: 0o600 });
  return () => {
    // A stack that was started later may have left its own.
    if (readNote() === note) rmSync(file, { force: true });
  };
}

/** The environment of the stack that was started last, if it still answers. */
export async function runningEnvironment(): Promise<StackEnvironment | undefined> {
  const text = readNote();
  if (text === undefined) return undefined;
  const { baseUrl, environment } = Note.parse(JSON.parse(text));
  const health = await fetch(`${baseUrl}${apiPrefix}/health`).catch(() => undefined);
  await health?.body?.cancel();
  return health?.ok ? (environment as StackEnvironment) : undefined;
}

function readNote(): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
