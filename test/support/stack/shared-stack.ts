import type { TestProject } from "vitest/node";
import { localBundles } from "#infra/local/local-bundles.ts";
import { seedIfEmpty } from "#infra/local/seed-if-empty.ts";
import { type StackEnvironment, startStack } from "#infra/local/stack.ts";

declare module "vitest" {
  export interface ProvidedContext {
    baseUrl: string;
    /** Where the shared stack's emulators are, as its functions know them. */
    environment: StackEnvironment;
  }
}

/** One stack with the demo data for all tests of the project: of the sources, or with `BUNDLED=1` of the bundles. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> =>
  share(project, process.env["BUNDLED"] === "1" ? await localBundles() : undefined);

/** @param bundles where the functions' code comes from as it is deployed, instead of from the sources */
export async function share(
  project: TestProject,
  bundles: string | undefined,
): Promise<() => Promise<void>> {
  const stack = await startStack({
    dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    bundles,
    seed: seedIfEmpty,
  });
  await stack.settled();
  project.provide("baseUrl", stack.baseUrl);
  project.provide("environment", stack.environment);
  return stack.stop;
}
