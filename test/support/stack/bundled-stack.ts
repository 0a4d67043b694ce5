import type { TestProject } from "vitest/node";
import { localBundles } from "#infra/local/local-bundles.ts";
import { share } from "./shared-stack.ts";

/** One stack with the demo data for all tests of the project, of the functions as they are deployed. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> =>
  share(project, await localBundles());
