import * as z from "zod";
import { SupersededObjects, IndexPointer } from "./index-pointer.ts";

/** An index that is being rebuilt, besides the current one. */
export const IndexRebuild = IndexPointer.extend({
  id: z.string(),
  /** Milliseconds. */
  begun_at: z.int(),
  superseded: SupersededObjects.shape.objects,
});
export type IndexRebuild = z.output<typeof IndexRebuild>;

/** The row of the rebuild. */
export interface IndexRebuildStore {
  current(): Promise<IndexRebuild | undefined>;
  /** Whether changes are applied to indexes of this format. */
  isCurrentFormat(): Promise<boolean>;
  /** The same, and whether the rebuild for earlier changes was requested. */
  isRebuilt(): Promise<boolean>;
  /**
   * Makes this format the current one and marks a rebuild as due. A running rebuild ends, because it lacks earlier
   * changes.
   */
  keep(): Promise<void>;
  /** Records that the due rebuild was requested. */
  rebuildRequested(): Promise<void>;
  /**
   * Stores it if the stored rebuild and version are those of `before` (none if undefined); returns false otherwise.
   */
  replace(next: IndexRebuild, before: IndexRebuild | undefined): Promise<boolean>;
  /** Like a target's `advance`, and deletes the rebuild's row in the same transaction. */
  adopt(
    next: IndexPointer,
    superseded: SupersededObjects,
    expectedVersion: number | undefined,
    made: IndexRebuild,
  ): Promise<boolean>;
}
