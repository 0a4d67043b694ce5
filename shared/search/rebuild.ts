import { type IndexTarget, moveIndex, rebuildIndex } from "./catalog-writer.ts";
import {
  UnreadableIndex,
  type IndexRebuild,
  type IndexRebuildStore,
} from "../domain/listing/index-pointer.ts";
import type { IndexDocuments } from "./index-format.ts";

/** Thrown when the rebuild was completed or timed out, or when another rebuild has replaced it. */
export class RebuildOver extends Error {
  override readonly name = "RebuildOver";
}

/**
 * Timeout of a rebuild, many times what 50,000 products take. After it, changes of the catalog are no longer applied to
 * the index that is being rebuilt.
 */
const longestMs = 60 * 60_000;

/** The running rebuild; undefined if there is none. */
export async function rebuildUnderWay(
  rebuilds: IndexRebuildStore,
  { now }: Pick<IndexTarget, "now">,
): Promise<IndexRebuild | undefined> {
  const current = await rebuilds.current();
  return current !== undefined && now() - current.begun_at <= longestMs ? current : undefined;
}

/** Starts a rebuild with an empty index. It replaces a running rebuild. */
export async function beginRebuild(
  target: IndexTarget,
  rebuilds: IndexRebuildStore,
  id: string,
  documents: IndexDocuments,
): Promise<void> {
  const own = { id, begun_at: target.now() };
  const made = besideIndex(target, rebuilds, id, { current: rebuilds.current, own: () => own });
  await rebuildIndex(made, async () => ({ entries: [], documents }));
}

/**
 * The write target of this rebuild.
 *
 * @throws RebuildOver from each of its reads once the rebuild is over
 */
export function rebuildTarget(
  target: IndexTarget,
  rebuilds: IndexRebuildStore,
  id: string,
): IndexTarget {
  return besideIndex(target, rebuilds, id, {
    current: () => ofId(target, rebuilds, id),
    own: ({ begun_at }) => ({ id, begun_at }),
  });
}

/** Makes the rebuilt index the current one. Throws RebuildOver if the rebuild is over. */
export async function adoptRebuild(
  target: IndexTarget,
  rebuilds: IndexRebuildStore,
  id: string,
): Promise<void> {
  let made: IndexRebuild;
  const adopting: IndexTarget = {
    ...target,
    // An index that this release cannot read counts as missing, so that it is replaced.
    pointer: () =>
      target.pointer().catch((error: unknown) => {
        if (error instanceof UnreadableIndex) return undefined;
        throw error;
      }),
    async advance(next, { objects }, expectedVersion) {
      const superseded = { objects: [...objects, ...made.superseded] };
      return rebuilds.adopt(next, superseded, expectedVersion, made);
    },
  };
  await moveIndex(adopting, async () => {
    made = await ofId(target, rebuilds, id);
    return { base_key: made.base_key, overlay_key: made.overlay_key };
  });
}

async function ofId(
  target: IndexTarget,
  rebuilds: IndexRebuildStore,
  id: string,
): Promise<IndexRebuild> {
  const rebuild = await rebuildUnderWay(rebuilds, target);
  if (rebuild?.id !== id) throw new RebuildOver(`The rebuild ${id} of an index is over`);
  return rebuild;
}

interface RebuildRow<Before> {
  readonly current: () => Promise<Before>;
  /** Returns the members that a rebuild's row has besides those of the pointer. `before` is the previous row. */
  readonly own: (before: Before) => Pick<IndexRebuild, "id" | "begun_at">;
}

function besideIndex<Before extends IndexRebuild | undefined>(
  target: IndexTarget,
  rebuilds: IndexRebuildStore,
  id: string,
  { current, own }: RebuildRow<Before>,
): IndexTarget {
  let before: Before;
  return {
    ...target,
    // Object keys of different rebuilds must differ.
    folder: `${target.folder}/${id}`,
    pointer: async () => (before = await current()),
    superseded: async () => ({ objects: before?.superseded ?? [] }),
    advance: async (next, { objects }) =>
      rebuilds.replace({ ...next, ...own(before), superseded: objects }, before),
  };
}
