import type { TestProject } from "vitest/node";
import { seedIfEmpty } from "#infra/local/seed-if-empty.ts";
import { type StackEnvironment, startStack } from "#infra/local/stack.ts";

declare module "vitest" {
  export interface ProvidedContext {
    baseUrl: string;
    /** Where the shared stack's emulators are, as its functions know them. */
    environment: StackEnvironment;
  }
}

/** One stack with the demo data for all tests of the project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startStack({
    dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    seed: seedIfEmpty,
  });
  await stack.settled();
  project.provide("baseUrl", stack.baseUrl);
  project.provide("environment", stack.environment);
  return stack.stop;
}
