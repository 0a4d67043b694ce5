import { globSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { localBundles } from "#infra/local/local-bundles.ts";
import { seedIfEmpty } from "#infra/local/seed-if-empty.ts";
import { type StackEnvironment, startStack } from "#infra/local/stack.ts";
import { startGuardedStack } from "./guarded-stack.ts";
import { unusedPermissions } from "../permissions/permission-guard.ts";

declare module "vitest" {
  export interface ProvidedContext {
    baseUrl: string;
    /** The emulators' addresses, as in the functions' environment. */
    environment: StackEnvironment;
  }
}

/** One stack with the demo data for all tests of the project: of the sources, or with `BUNDLED=1` of the bundles. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> =>
  share(project, process.env["BUNDLED"] === "1" ? await localBundles() : undefined);

/** @param bundles directory of bundles to run instead of the sources */
export async function share(
  project: TestProject,
  bundles: string | undefined,
): Promise<() => Promise<void>> {
  const options = { dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"], seed: seedIfEmpty };
  const stack = await (bundles === undefined
    ? startGuardedStack(options)
    : startStack({ ...options, bundles }));
  await stack.settled();
  project.provide("baseUrl", stack.baseUrl);
  project.provide("environment", stack.environment);
  return async () => {
    try {
      await stack.stop();
      checkPermissions(project);
    } catch (problem) {
      // Vitest only prints an error of the teardown, so the exit code must be set here.
      process.exitCode = 1;
      throw problem;
    }
  };
}

/** Every declared permission must be needed by a test. This is known only when all API tests have run and passed. */
function checkPermissions({ name, vitest }: TestProject): void {
  if (name !== "service") return;
  const passed = new Set(
    vitest.state
      .getTestModules()
      .flatMap((module) => (module.ok() ? [module.relativeModuleId] : [])),
  );
  if (
    vitest.config.testNamePattern ||
    globSync("test/api/**/*.test.ts").some((file) => !passed.has(file))
  )
    return;
  const unused = unusedPermissions();
  if (unused.length > 0)
    throw new Error(`Declared permissions that no test needed:\n${unused.join("\n")}`);
}
