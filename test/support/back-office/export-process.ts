import { consume } from "#functions/on-change/exports/consume.ts";
import { connect } from "#functions/on-change/exports/deps.ts";
import { aMessage } from "../emulators/queues.ts";

// Runs the export worker in its own process, as Lambda does, to measure its memory.
const message: unknown = JSON.parse(process.argv[2] ?? "");
const { batchItemFailures } = await consume({ Records: [aMessage(message)] }, connect(process.env));
if (batchItemFailures.length > 0) process.exit(1);
process.send?.(process.resourceUsage().maxRSS / 1024, () => process.exit(0));
