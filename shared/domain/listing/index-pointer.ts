import * as z from "zod";

/**
 * The format of stored indexes. It is raised when a release can no longer read them, or when their cards change. Each
 * format has rows of its own, so an index can be rebuilt for the next release while the current one is in use.
 */
export const indexFormat = 4;

/** Thrown when an index, or a part of it, was written by another release or is malformed. */
export class UnreadableIndex extends Error {
  override readonly name = "UnreadableIndex";
}

/**
 * Names the stored objects of the current index. It is replaced only if its version is unchanged, and the version then
 * rises by one.
 */
export const IndexPointer = z.object({
  version: z.int().min(1),
  base_key: z.string(),
  overlay_key: z.string().nullable(),
});
export type IndexPointer = z.output<typeof IndexPointer>;

/**
 * Objects that the pointer named before, with the time of their replacement in ms. They are deleted when no reader
 * can be using them. The list grows with the rate of changes, so it is not part of the pointer, which every reader
 * reads.
 */
export const SupersededObjects = z.object({
  objects: z.array(z.object({ key: z.string(), at: z.int() })),
});
export type SupersededObjects = z.output<typeof SupersededObjects>;

/** Reads a stored index. */
export interface IndexSource {
  /**
   * Reads the current pointer; undefined before the first write. Throws UnreadableIndex if only other releases have
   * written one.
   */
  pointer(): Promise<IndexPointer | undefined>;
  /** Reads a stored object; throws if there is none. */
  object(key: string): Promise<Uint8Array>;
}

/** An index that is being rebuilt, while the current index stays in use. */
export const IndexRebuild = IndexPointer.extend({
  id: z.string(),
  /** Unix time in ms. */
  begun_at: z.int(),
  superseded: SupersededObjects.shape.objects,
});
export type IndexRebuild = z.output<typeof IndexRebuild>;

/** Reads and writes the row of the rebuild that is under way. */
export interface IndexRebuildStore {
  current(): Promise<IndexRebuild | undefined>;
  /** Whether indexes of this format are kept up to date with the catalog. */
  isCurrentFormat(): Promise<boolean>;
  /** Whether indexes of this format are kept up to date, and no rebuild is due that adds the changes made before. */
  isRebuilt(): Promise<boolean>;
  /**
   * Keeps indexes of this format up to date from now on, and marks a rebuild as due. A running rebuild is dropped,
   * because it lacks the changes made since it began.
   */
  keep(): Promise<void>;
  /** Records that the due rebuild was requested. */
  rebuildRequested(): Promise<void>;
  /**
   * Stores the next state of the rebuild if the stored id and version are those of `before`, or if no rebuild is
   * stored and `before` is undefined. Returns false otherwise.
   */
  replace(next: IndexRebuild, before: IndexRebuild | undefined): Promise<boolean>;
  /**
   * Moves the pointer of the current index to the rebuilt one, and deletes the rebuild's row in the same transaction.
   * Returns false if the pointer, the rebuild or the current format has changed meanwhile.
   */
  adopt(
    next: IndexPointer,
    superseded: SupersededObjects,
    expectedVersion: number | undefined,
    made: IndexRebuild,
  ): Promise<boolean>;
}
