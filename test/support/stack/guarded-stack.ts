import { type Stack, type StackOptions, startStack } from "#infra/local/stack.ts";
import { startPermissionGuard } from "../permissions/permission-guard.ts";

/**
 * A stack whose functions may do what they declare in the manifest and nothing else, as in the cloud. When it stops, it
 * throws if one of them tried, also where the function went on without.
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
