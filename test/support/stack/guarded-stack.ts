import { type Stack, type StackOptions, startStack } from "#infra/local/stack.ts";
import { startPermissionGuard } from "../permissions/permission-guard.ts";
import { startDescriptionGuard } from "./description-guard.ts";

/**
 * A stack that allows functions only what the manifest declares, as in the cloud, and compares their responses to
 * the OpenAPI document. Stopping it throws if a function made an undeclared call (even one whose
 * refusal the function handled), or returned a response that the document does not describe.
 */
export async function startGuardedStack(
  options: Omit<StackOptions, "functions" | "bundles"> = {},
): Promise<Stack> {
  const guard = await startPermissionGuard({ refuse: true });
  const described = await startDescriptionGuard(guard.functions);
  const stack = await startStack({ ...options, functions: described.functions });
  return {
    ...stack,
    async stop() {
      await stack.stop();
      await guard.stop();
      const problems = [
        ...guard
          .undeclared()
          .map(
            (each) => `Add to its permissions in functions/families.ts or consumers.ts: ${each}`,
          ),
        ...described.differences().map((each) => `Differs from the OpenAPI document: ${each}`),
      ];
      if (problems.length > 0) throw new Error(problems.join("\n"));
    },
  };
}
