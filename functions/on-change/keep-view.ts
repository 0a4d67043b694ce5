import { randomUUID } from "node:crypto";
import { UnreadableIndex } from "#shared/domain/listing/index-pointer.ts";
import { RebuildOver, rebuildTarget, rebuildUnderWay } from "#shared/search/rebuild.ts";
import type { RebuildMessage, RebuildPortion } from "./rebuild-message.ts";
import { begin, goOn, layOver } from "./view-rebuild.ts";
import type { IndexDeps, IndexWork } from "./view-work.ts";

/** Brings a view up to changes and goes on with its rebuild. Safe to repeat. */
export async function keepIndex<Change extends { kind: string }>(
  messages: readonly (Change | RebuildMessage)[],
  work: IndexWork<Change>,
): Promise<void> {
  const portions = messages.filter(
    (message): message is RebuildPortion => message.kind === "rebuild-portion",
  );
  const isAsked = messages.some(({ kind }) => kind === "rebuild");
  const changes = messages.filter(
    (message): message is Change =>
      message.kind !== "rebuild" && message.kind !== "rebuild-portion",
  );
  try {
    if (!(await work.rebuilds.isTakenOver())) await takeOver(work);
    if (changes.length > 0) await lay(changes, work);
    if (isAsked) await begin(work);
    for (const portion of portions) await goOn(portion, work);
  } catch (cause) {
    if (!(cause instanceof UnreadableIndex)) throw cause;
    work.log.warn("View unreadable: rebuilding it", { cause });
    await begin(work);
  }
}

/**
 * Changes were laid over the view of another release, before a deploy or before it was taken back. This one's may have
 * been prepared, and is shown already, but lacks what has changed since.
 */
async function takeOver({ rebuilds, queue }: IndexDeps): Promise<void> {
  // First, so that tries that fail leave no messages. Whoever comes after a crash sees that a rebuild is due.
  await rebuilds.keep();
  await queue.send([
    { body: { changes: [{ kind: "rebuild" }] }, group: "view", dedupe: randomUUID() },
  ]);
  await rebuilds.tookOver();
}

/** Over the view, and over the one that is being made anew: what it has read already may be old by now. */
async function lay<Change>(changes: readonly Change[], work: IndexWork<Change>): Promise<void> {
  const { target, rebuilds } = work;
  const underWay = await rebuildUnderWay(rebuilds, target);
  try {
    await layOver(target, changes, work);
  } catch (cause) {
    // The new one takes its place soon.
    if (!(cause instanceof UnreadableIndex && underWay)) throw cause;
  }
  if (!underWay) return;
  try {
    await layOver(rebuildTarget(target, rebuilds, underWay.id), changes, work);
  } catch (cause) {
    if (!(cause instanceof RebuildOver)) throw cause;
    await lay(changes, work);
  }
}
