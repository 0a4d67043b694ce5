import { PurgeQueueCommand, SQSClient } from "@aws-sdk/client-sqs";
import { bucketOf } from "#functions/connect/bucket.ts";
import { replay } from "#functions/on-change/stream/replay.ts";
import { listObjects } from "#shared/files/list-objects.ts";
import { openers } from "#infra/generated/entries/on-change-stream.ts";
import { openShop } from "#shared/application/shop.ts";
import { clientDefaults } from "#shared/runtime/aws-client.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { plainLog } from "#shared/runtime/log.ts";
import { runningEnvironment } from "../local/running-stack.ts";

/** Replays failed changes of the local stack, or of the deployed stack that the environment names. */
const environment = process.env["FAILED_CHANGES_BUCKET"] ? process.env : await runningEnvironment();
if (environment) process.exitCode = (await replayAll(environment)) ? 0 : 1;
else {
  console.error(
    'No local stack is running. For a deployed stack, see "When changes have failed" in infra/operate.md.',
  );
  process.exitCode = 1;
}

/** @returns whether the bucket is empty */
async function replayAll(from: NodeJS.ProcessEnv): Promise<boolean> {
  // The queue of notifications about new objects in the bucket.
  const lostChanges = from["LOST_CHANGES_QUEUE_URL"];
  const bucket = bucketOf(from, "FAILED_CHANGES_BUCKET");
  const shop = openShop(from, { ...openers, log: () => plainLog });
  const counts = { replayed: 0, unreadable: 0, failed: 0 };
  for (const key of await listObjects(bucket)) {
    try {
      counts[await replay(key, shop)] += 1;
    } catch (problem) {
      counts.failed += 1;
      console.error(`${key}:`, problem);
    }
  }
  console.log(
    `${counts.replayed} replayed, ${counts.unreadable} still unreadable, ${counts.failed} failed.`,
  );
  const isEmpty = counts.unreadable + counts.failed === 0;
  if (isEmpty && lostChanges !== undefined) {
    await silenceAlarm(lostChanges, readVariable(from, "SQS_ENDPOINT"));
  }
  return isEmpty;
}

/**
 * Clears the alarm on failed changes by deleting all messages of the queue that it watches. The queue has one message
 * for each stored object.
 */
async function silenceAlarm(QueueUrl: string, endpoint: string | undefined): Promise<void> {
  await new SQSClient(clientDefaults(endpoint)).send(new PurgeQueueCommand({ QueueUrl }));
}
