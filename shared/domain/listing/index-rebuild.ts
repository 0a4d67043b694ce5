import * as z from "zod";
import { SupersededObjects, IndexPointer } from "./index-pointer.ts";

/** A view that is being made anew, beside the one that readers see. */
export const IndexRebuild = IndexPointer.extend({
  id: z.string(),
  /** Milliseconds. */
  begun_at: z.int(),
  superseded: SupersededObjects.shape.objects,
});
export type IndexRebuild = z.output<typeof IndexRebuild>;

/** The row of the view that is being made anew. */
export interface IndexRebuildStore {
  current(): Promise<IndexRebuild | undefined>;
  /** Whether changes are laid over views of this format. */
  isKept(): Promise<boolean>;
  /** Likewise, and whether the rebuild was asked for that brings what changed before. */
  isTakenOver(): Promise<boolean>;
  /** From now on they are, and a rebuild is due. What is under way ends: it does not know of what changed before. */
  keep(): Promise<void>;
  /** The rebuild that was due was asked for. */
  tookOver(): Promise<void>;
  /** Stores it on condition that what is stored is of the rebuild and version before (none if undefined), else false. */
  replace(next: IndexRebuild, before: IndexRebuild | undefined): Promise<boolean>;
  /** The same as a target's `advance`, and takes away the row of what was made, all or nothing. */
  adopt(
    next: IndexPointer,
    superseded: SupersededObjects,
    expectedVersion: number | undefined,
    made: IndexRebuild,
  ): Promise<boolean>;
}
