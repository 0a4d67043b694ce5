import { inject } from "vitest";
import type { StackEnvironment } from "#infra/local/stack.ts";

/** A stack that the test files of one worker share. */
export interface SharedStack {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The emulators' addresses, as in the functions' environment. */
  readonly environment: StackEnvironment;
}

declare module "vitest" {
  export interface ProvidedContext {
    /** Starts or returns the stack of the worker that the path names. */
    stacksUrl: string;
  }
}

const answer = await fetch(`${inject("stacksUrl")}/${process.env["VITEST_POOL_ID"]}`);
if (!answer.ok) throw new Error(await answer.text());

/** The stack of this worker. It contains the demo data; each test creates the records that it changes. */
export const { baseUrl, environment } = (await answer.json()) as SharedStack;
