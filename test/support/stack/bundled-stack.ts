import type { TestProject } from "vitest/node";
import { localBundles } from "#infra/local/local-bundles.ts";
import { share } from "./shared-stack.ts";

/** One stack with the demo data for all tests of the project, which runs the deployed bundles. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> =>
  share(project, await localBundles());
