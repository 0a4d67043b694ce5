import { readVariable } from "./environment.ts";

const multipliers = new Map<string | undefined, number>();

/**
 * A timeout in ms as configured for this process: the production value, multiplied by `TIMEOUT_MULTIPLIER`. Call it
 * when a client is opened or a wait begins.
 */
export function timeoutOf(productionMs: number): number {
  const text = process.env["TIMEOUT_MULTIPLIER"];
  const multiplier =
    multipliers.get(text) ?? Number(readVariable(process.env, "TIMEOUT_MULTIPLIER"));
  // Every transaction asks, and parsing costs more than the rest of the question.
  multipliers.set(text, multiplier);
  return productionMs * multiplier;
}
