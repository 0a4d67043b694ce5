import type { DynamoDBRecord } from "aws-lambda";
import { consume } from "./consume.ts";
import type { Deps } from "./deps.ts";
import { type FailedChanges, objectOf } from "./failed-changes.ts";

export interface ReplayDeps extends Omit<Deps, "failedChanges"> {
  failedChanges: FailedChanges;
}

/** The stream's batch size. */
const batchSize = 100;

/**
 * Processes the stored changes of one object again, and deletes the object once every queue has accepted its messages.
 * Safe to repeat, because every consumer is idempotent.
 *
 * @returns `replayed`, or `unreadable` if the object's record still cannot be read; the object then stays
 * @throws Error when the object holds no records, or a queue did not accept its messages; the object stays
 */
export async function replay(key: string, deps: ReplayDeps): Promise<"replayed" | "unreadable"> {
  const { failedChanges } = deps;
  const stored = new Set<string>();
  const add = async (record: DynamoDBRecord) => {
    if (objectOf(record) !== key) await failedChanges.add(record);
    stored.add(objectOf(record));
  };
  const records = await failedChanges.read(key);
  for (let start = 0; start < records.length; start += batchSize) {
    const Records = records.slice(start, start + batchSize);
    const { batchItemFailures } = await consume({ Records }, { ...deps, failedChanges: { add } });
    if (batchItemFailures.length > 0) throw new Error("A queue did not accept its messages");
  }
  if (stored.has(key)) return "unreadable";
  await failedChanges.remove(key);
  return "replayed";
}
