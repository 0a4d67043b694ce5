import { randomUUID } from "node:crypto";
import type { CatalogChanges } from "#functions/on-change/catalog-change.ts";
import { openFifoQueue } from "#shared/queues/queue.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { runningEnvironment } from "./local/running-stack.ts";

/** Asks the writer of the catalog view to make it anew: of the stack that runs here, or of the queue that is named. */
const environment = process.env["CATALOG_VIEW_QUEUE_URL"]
  ? process.env
  : await runningEnvironment();
if (environment) {
  const { CATALOG_VIEW_QUEUE_URL: url, SQS_ENDPOINT: endpoint } = readEnvironment(environment, [
    "CATALOG_VIEW_QUEUE_URL",
    "SQS_ENDPOINT",
  ]);
  const message: CatalogChanges = { changes: [{ kind: "rebuild" }] };
  await openFifoQueue({ url, endpoint }).send(message, { group: "view", dedupe: randomUUID() });
  console.log(
    "The catalog view is being made anew; in portions of 500; readers see it when it is whole.",
  );
} else {
  console.error(
    "No stack runs here. For one in the cloud name its queue in CATALOG_VIEW_QUEUE_URL.",
  );
  process.exitCode = 1;
}
