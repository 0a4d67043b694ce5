import * as z from "zod";
import { SupersededObjects, IndexPointer } from "./index-pointer.ts";

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
