import type { ObjectStore } from "#shared/files/object-store.ts";
import { type StreamShop, onChangeStream } from "./read-stream.ts";
import { openFailedChanges } from "./failed-changes.ts";

/** The stream's batch size. */
const batchSize = 100;

/**
 * Processes the stored changes of one object again, and deletes the object once every queue has accepted its messages.
 * Safe to repeat, because every consumer is idempotent.
 *
 * @returns `replayed`, or `unreadable` if the object's record still cannot be read; the object then stays
 * @throws Error when the object holds no records, or a queue did not accept its messages; the object stays
 */
export async function replay(key: string, shop: StreamShop): Promise<"replayed" | "unreadable"> {
  const failedChanges = openFailedChanges(shop.failedChangeFiles);
  const stored = new Set<string>();
  const failedChangeFiles: ObjectStore = {
    ...shop.failedChangeFiles,
    async put(written, ...object) {
      if (written !== key) await shop.failedChangeFiles.put(written, ...object);
      stored.add(written);
    },
  };
  const records = await failedChanges.read(key);
  for (let start = 0; start < records.length; start += batchSize) {
    const Records = records.slice(start, start + batchSize);
    const { batchItemFailures } = await onChangeStream({ Records }, { ...shop, failedChangeFiles });
    if (batchItemFailures.length > 0) throw new Error("A queue did not accept its messages");
  }
  if (stored.has(key)) return "unreadable";
  await failedChanges.remove(key);
  return "replayed";
}
