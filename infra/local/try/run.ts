import { runningStack } from "../running-stack.ts";
import { startStack } from "../stack.ts";
import { walk } from "./walk.ts";

// As in `npm start`, functions log what went wrong only.
process.env["POWERTOOLS_LOG_LEVEL"] ??= "WARN";

try {
  await walkSomewhere();
  process.exit(0);
} catch (problem) {
  console.error(problem instanceof Error ? problem.message : problem);
  process.exit(1);
}

/** Uses the running stack, or starts one for this walk. */
async function walkSomewhere(): Promise<void> {
  const running = await runningStack();
  if (running) return walk(running, console.log);
  console.log(
    "# No stack is running. This one stops at the end: `npm start` keeps one to paste to.",
  );
  const stack = await startStack({ shop: "planted" });
  try {
    await walk(stack, console.log);
  } finally {
    await stack.stop();
  }
}
