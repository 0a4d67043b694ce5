import { setTimeout as pause } from "node:timers/promises";

/** Returns what a guard has found since its last call. */
export type Findings = () => string[];

const guards = new Set<Findings>();

/** Lets each test fail for what this guard finds while it runs. @returns a function that ends it */
export function watchTests(findings: Findings): () => void {
  guards.add(findings);
  return () => guards.delete(findings);
}

/** @throws Error that names what any guard of this process has found since the last call */
export function expectNoFindings(): void {
  const found = [...guards].flatMap((findings) => findings());
  if (found.length > 0) throw new Error(found.join("\n"));
}

/**
 * Waits for work of a stack that may never end after a refused call, because consumers are invoked again.
 *
 * @throws Error that names what a guard has found, as soon as it has
 */
export async function unlessFound(work: Promise<void>): Promise<void> {
  const ended = work.then(() => true);
  // It may fail after this wait, when the stack stops.
  ended.catch(() => undefined);
  while (!(await Promise.race([ended, pause(100, false)]))) expectNoFindings();
}
