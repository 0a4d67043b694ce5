import { SupersededObjects, ViewPointer } from "../catalog-view/pointer.ts";
import { isNew, is } from "./conditions.ts";
import { entity } from "./entity.ts";
import type { Table } from "./table.ts";
import { Refused, put } from "./writes.ts";

/** The public's view of what is published, and staff's of everything. */
export type ViewName = "catalog" | "staff";

export const ViewPointers = entity({
  name: "view_pointer",
  schema: ViewPointer,
  key: ({ view }: { view: ViewName }) => ({ pk: `VIEW#${view}`, sk: "POINTER" }),
});

/** Read and written by the view's writer alone. */
export const SupersededViews = entity({
  name: "superseded_view",
  schema: SupersededObjects,
  key: ({ view }: { view: ViewName }) => ({ pk: `VIEW#${view}`, sk: "SUPERSEDED" }),
});

export interface ViewPointerStore {
  pointer(): Promise<ViewPointer | undefined>;
  superseded(): Promise<SupersededObjects | undefined>;
  /** Moves the pointer, with the list of what it leaves, if it still has the version expected; else false. */
  advance(
    next: ViewPointer,
    superseded: SupersededObjects,
    expectedVersion: number | undefined,
  ): Promise<boolean>;
}

export function openViewPointer(table: Table, view: ViewName): ViewPointerStore {
  return {
    pointer: () => table.get(ViewPointers, { view }),
    superseded: () => table.get(SupersededViews, { view }),
    async advance(next, superseded, expectedVersion) {
      const condition = expectedVersion === undefined ? isNew : is("version", expectedVersion);
      try {
        await table.transact([
          put(ViewPointers, { ...next, view }, condition),
          put(SupersededViews, { ...superseded, view }),
        ]);
        return true;
      } catch (error) {
        if (error instanceof Refused) return false;
        throw error;
      }
    },
  };
}
