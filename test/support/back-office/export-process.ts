import { consume } from "#functions/on-change/exports/consume.ts";
import { openers } from "#infra/generated/entries/on-change-exports.ts";
import { openShop } from "#shared/application/shop.ts";
import { aMessage } from "../emulators/queues.ts";

// Runs the export worker in its own process, as Lambda does, to measure its memory.
const message: unknown = JSON.parse(process.argv[2] ?? "");
const { batchItemFailures } = await consume(
  { Records: [aMessage(message)] },
  openShop(process.env, openers),
);
if (batchItemFailures.length > 0) process.exit(1);
process.send?.(process.resourceUsage().maxRSS / 1024, () => process.exit(0));
