import * as z from "zod";

/**
 * Raised whenever stored indexes can no longer be read. Each format has rows of its own, so an index can be rebuilt
 * for the next release while the current one is in use.
 */
export const indexFormat = 1;

/** An index, or a part of it, was written by another release or is malformed. */
export class UnreadableIndex extends Error {
  override readonly name = "UnreadableIndex";
}

/** The objects of the current index. A move is conditional on the version and raises it by one. */
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

/** Where an index is read from. */
export interface IndexSource {
  /**
   * The current pointer row; undefined before the first write. UnreadableIndex if only other releases have written.
   */
  pointer(): Promise<IndexPointer | undefined>;
  /** Reads a stored object; throws if there is none. */
  object(key: string): Promise<Uint8Array>;
}
