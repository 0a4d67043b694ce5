import { afterAll, afterEach, beforeEach } from "vitest";
import { type Exchange, forgetExchange, lastExchange } from "../http/exchange.ts";
import { useSockets } from "../http/in-process.ts";
import { calledFunctions, forgetCalledFunctions } from "./called-functions.ts";
import { forgetEffects } from "./effects.ts";
import { expectNoFindings } from "./guards.ts";

declare module "vitest" {
  interface TaskMeta {
    /** The last exchange of a failed test. */
    exchange?: Exchange | undefined;
    /** The functions that a test file called. */
    functions?: readonly string[];
  }
}

// Vitest runs this file before each test file.
forgetEffects();
forgetCalledFunctions();
useSockets(false);
beforeEach(({ task, onTestFailed }) => {
  forgetExchange();
  onTestFailed(() => {
    task.meta.exchange = lastExchange();
  });
});
afterEach(({ task }) => {
  task.file.meta.functions = calledFunctions();
});
afterEach(expectNoFindings);
afterAll(expectNoFindings);
