import * as z from "zod";

/**
 * Raised whenever stored views can no longer be read as they are. Each format has rows of its own, so that a view can
 * be made for the next release while this one serves.
 */
export const viewFormat = 1;

/** A view, or a part of it, was written by another release, or is no such thing. */
export class UnreadableIndex extends Error {
  override readonly name = "UnreadableIndex";
}

/** Which objects are the present view. It moves on condition of its version, which every move raises by one. */
export const IndexPointer = z.object({
  version: z.int().min(1),
  base_key: z.string(),
  overlay_key: z.string().nullable(),
});
export type IndexPointer = z.output<typeof IndexPointer>;

/**
 * Objects that the pointer named before, with the time in ms when it stopped; deleted when nobody can be reading them.
 * The list grows with the rate of changes, so it is kept apart from the pointer, which every reader reads.
 */
export const SupersededObjects = z.object({
  objects: z.array(z.object({ key: z.string(), at: z.int() })),
});
export type SupersededObjects = z.output<typeof SupersededObjects>;

/** Where a view is read from. */
export interface IndexSource {
  /** The pointer row as it is now; undefined before the first write. UnreadableIndex where only other releases wrote. */
  pointer(): Promise<IndexPointer | undefined>;
  /** A stored object, whole; throws where there is none. */
  object(key: string): Promise<Uint8Array>;
}
