import { existsSync, readFileSync } from "node:fs";
import { onChangeExports } from "#functions/on-change/queue-consumers.ts";
import { openers } from "#infra/generated/entries/on-change-exports.ts";
import { openShop } from "#shared/application/shop.ts";
import { aMessage } from "../emulators/queues.ts";

// Runs the export worker in its own process, as Lambda does, to measure its memory.
const message: unknown = JSON.parse(process.argv[2] ?? "");
const { batchItemFailures } = await onChangeExports(
  { Records: [aMessage(message)] },
  openShop(process.env, openers),
);
if (batchItemFailures.length > 0) process.exit(1);
process.send?.(peakMb(), () => process.exit(0));

/** The peak memory of this process. `maxRSS` also counts that of the process which started it. */
function peakMb(): number {
  const { maxRSS } = process.resourceUsage();
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? maxRSS) / 1024;
}
