import * as z from "zod";
import { SupersededObjects, ViewPointer } from "./pointer.ts";

/** A view that is being made anew, beside the one that readers see. */
export const ViewRebuild = ViewPointer.extend({
  id: z.string(),
  /** Milliseconds. */
  begun_at: z.int(),
  superseded: SupersededObjects.shape.objects,
});
export type ViewRebuild = z.output<typeof ViewRebuild>;

/** The row of the view that is being made anew. */
export interface ViewRebuildStore {
  current(): Promise<ViewRebuild | undefined>;
  /** Whether changes are laid over views of this format. */
  isKept(): Promise<boolean>;
  /** Likewise, and whether the rebuild was asked for that brings what changed before. */
  isTakenOver(): Promise<boolean>;
  /** From now on they are, and a rebuild is due. What is under way ends: it does not know of what changed before. */
  keep(): Promise<void>;
  /** The rebuild that was due was asked for. */
  tookOver(): Promise<void>;
  /** Stores it on condition that what is stored is of the rebuild and version before (none if undefined), else false. */
  replace(next: ViewRebuild, before: ViewRebuild | undefined): Promise<boolean>;
  /** The same as a target's `advance`, and takes away the row of what was made, all or nothing. */
  adopt(
    next: ViewPointer,
    superseded: SupersededObjects,
    expectedVersion: number | undefined,
    made: ViewRebuild,
  ): Promise<boolean>;
}
