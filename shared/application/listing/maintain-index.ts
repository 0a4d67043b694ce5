import { randomUUID } from "node:crypto";
import { UnreadableIndex } from "#shared/domain/listing/index-pointer.ts";
import { RebuildOver, rebuildTarget, rebuildUnderWay } from "#shared/search/rebuild.ts";
import type { RebuildMessage, RebuildPortion } from "#shared/queues/queue-messages.ts";
import { begin, continueRebuild, applyChanges } from "./rebuild-index.ts";
import type { IndexDeps, IndexWork } from "./index-work.ts";

/** Applies changes to a read model and continues its rebuild. Safe to repeat. */
export async function maintainIndex<Change extends { kind: string }>(
  messages: readonly (Change | RebuildMessage)[],
  work: IndexWork<Change>,
): Promise<void> {
  const portions = messages.filter(
    (message): message is RebuildPortion => message.kind === "rebuild-portion",
  );
  const isRequested = messages.some(({ kind }) => kind === "rebuild");
  const changes = messages.filter(
    (message): message is Change =>
      message.kind !== "rebuild" && message.kind !== "rebuild-portion",
  );
  try {
    if (!(await work.rebuilds.isRebuilt())) await startRebuild(work, isRequested);
    if (changes.length > 0) await applyToAll(changes, work);
    if (isRequested) await begin(work);
    for (const portion of portions) await continueRebuild(portion, work);
  } catch (cause) {
    if (!(cause instanceof UnreadableIndex)) throw cause;
    work.log.warn("Index rebuild started: the stored index cannot be read", { cause });
    await begin(work);
  }
}

/**
 * Requests a rebuild when a release first runs after a deployment or a rollback. The release's read model may already
 * be prepared and in use, but it lacks the changes that another release has processed since.
 *
 * @param isRequested whether a message that is being processed requests it already
 */
async function startRebuild({ rebuilds, queue }: IndexDeps, isRequested: boolean): Promise<void> {
  // The rebuild is marked as due before its message is sent, so that no message is sent if the mark cannot be stored.
  // After a crash, the next worker sees the mark and sends the message.
  await rebuilds.keep();
  if (!isRequested) {
    await queue.send([
      { body: { changes: [{ kind: "rebuild" }] }, group: "view", dedupe: randomUUID() },
    ]);
  }
  await rebuilds.rebuildRequested();
}

/**
 * Applies changes to the read model, and also to the one that a running rebuild creates: the rebuild may have read the
 * records before they changed.
 */
async function applyToAll<Change>(
  changes: readonly Change[],
  work: IndexWork<Change>,
): Promise<void> {
  const { target, rebuilds } = work;
  const underWay = await rebuildUnderWay(rebuilds, target);
  try {
    await applyChanges(target, changes, work);
  } catch (cause) {
    // An unreadable read model does not matter here, because the running rebuild soon replaces it.
    if (!(cause instanceof UnreadableIndex && underWay)) throw cause;
  }
  if (!underWay) return;
  try {
    await applyChanges(rebuildTarget(target, rebuilds, underWay.id), changes, work);
  } catch (cause) {
    if (!(cause instanceof RebuildOver)) throw cause;
    await applyToAll(changes, work);
  }
}
