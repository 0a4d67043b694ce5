import { type Stack, type StackOptions, startStack } from "#infra/local/stack.ts";
import { startPermissionGuard } from "../permissions/permission-guard.ts";

/**
 * A stack that allows functions only what the manifest declares, as in the cloud. Stopping it throws if a function made
 * an undeclared call, even if the function handled the refusal.
 */
export async function startGuardedStack(
  options: Omit<StackOptions, "functions" | "bundles"> = {},
): Promise<Stack> {
  const guard = await startPermissionGuard({ refuse: true });
  const stack = await startStack({ ...options, functions: guard.functions });
  return {
    ...stack,
    async stop() {
      await stack.stop();
      await guard.stop();
      const undeclared = guard.undeclared();
      if (undeclared.length === 0) return;
      throw new Error(`Declare in the manifest, or leave: ${undeclared.join("; ")}`);
    },
  };
}
