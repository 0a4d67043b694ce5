import { seedIfEmpty } from "#infra/local/seed-if-empty.ts";
import { startStack } from "#infra/local/stack.ts";
import { startGuardedStack } from "./guarded-stack.ts";
import type { SharedStack } from "./own-stack.ts";

/** What the process of a stack tells its parent: that it has started, or how it has ended. */
export type StackNews = { readonly stack: SharedStack } | { readonly problem: string | null };

const tell = (news: StackNews) => process.send?.(news);

const bundles = process.argv[2];
const options = { dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"], seed: seedIfEmpty };
const stack = await (bundles === undefined
  ? startGuardedStack(options)
  : startStack({ ...options, bundles }));
await stack.settled();
tell({ stack: { baseUrl: stack.baseUrl, environment: stack.environment } });

// The parent asks this process to stop, or is gone.
await new Promise((resolve) => {
  process.once("message", resolve);
  process.once("disconnect", resolve);
});
const problem = await stack.stop().then(
  () => null,
  (reason: unknown) => String(reason),
);
if (process.connected) {
  tell({ problem });
  process.disconnect();
}
