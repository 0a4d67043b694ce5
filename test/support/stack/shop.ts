import type { Stack } from "#infra/local/stack.ts";
import { useSockets } from "../http/in-process.ts";
import { type Effect, declareEffects } from "./effects.ts";
import { startGuardedStack } from "./guarded-stack.ts";

/** This worker's stack, for as long as its files declare the same effects. */
let current: { readonly effects: string; readonly stack: Promise<Stack> } | undefined;

/**
 * The demo shop of this test file, in this process. Files of a worker that declare the same effects share it one after
 * the other, so each test makes the records that it changes.
 *
 * @param declared.effects the consumers and schedules whose work the file awaits; no other runs
 * @param declared.sockets whether the file's calls go through sockets, as a storefront's do
 */
export async function useShop(
  declared: { effects?: readonly Effect[]; sockets?: boolean } = {},
): Promise<Stack> {
  const effects = [...(declared.effects ?? [])].toSorted();
  useSockets(declared.sockets ?? false);
  declareEffects(effects);
  const key = effects.join(" ");
  if (current?.effects !== key) {
    const previous = current;
    current = undefined;
    await (await previous?.stack)?.stop();
    current = { effects: key, stack: startGuardedStack({ shop: "planted", effects }) };
  }
  return current.stack;
}
