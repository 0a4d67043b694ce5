import { localBundles } from "#infra/local/local-bundles.ts";
import { type Stack, type StackOptions, startStack } from "#infra/local/stack.ts";
import { startPermissionGuard } from "../permissions/permission-guard.ts";
import { startDescriptionGuard } from "./description-guard.ts";
import { withoutSockets } from "../http/in-process.ts";
import { type Effect, consumersOf } from "./effects.ts";
import { expectNoFindings, watchTests } from "./guards.ts";

export type GuardedOptions = Omit<StackOptions, "functions" | "bundles"> & {
  /** The consumers and schedules whose work the test file awaits; no other runs. */
  readonly effects?: readonly Effect[];
};

/**
 * A stack that allows functions only what the manifest declares, as in the cloud, and compares their responses to
 * the OpenAPI document. A test fails if meanwhile a function made an undeclared call (even one whose
 * refusal the function handled), or returned a response that the document does not describe. With `BUNDLED=1` the stack
 * runs the bundles instead, unguarded.
 */
export async function startGuardedStack({
  effects = [],
  ...options
}: GuardedOptions = {}): Promise<Stack> {
  const consumers = consumersOf(effects);
  if (process.env["BUNDLED"] === "1")
    return withoutSockets(
      await startStack({ consumers, ...options, bundles: await localBundles() }),
    );
  const guard = await startPermissionGuard({ refuse: true });
  const described = await startDescriptionGuard(guard.functions);
  const unwatch = watchTests(() => [
    ...guard
      .undeclared()
      .map((each) => `Add to its permissions in functions/families.ts or consumers.ts: ${each}`),
    ...described.differences().map((each) => `Differs from the OpenAPI document: ${each}`),
  ]);
  const stack = withoutSockets(
    await startStack({ consumers, ...options, functions: described.functions }),
  );
  return {
    ...stack,
    async stop() {
      await stack.stop();
      await guard.stop();
      expectNoFindings();
      unwatch();
    },
  };
}
