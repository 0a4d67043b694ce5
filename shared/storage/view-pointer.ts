import { SupersededObjects, ViewPointer } from "../catalog-view/pointer.ts";
import { is, isNew } from "./conditions.ts";
import { entity } from "./entity.ts";
import type { Table } from "./table.ts";
import { Refused, type Write, put } from "./writes.ts";

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
    advance: (next, superseded, expectedVersion) =>
      isDone(table.transact(moving(view, next, superseded, expectedVersion))),
  };
}

/** The writes that move the pointer. */
export function moving(
  view: ViewName,
  next: ViewPointer,
  superseded: SupersededObjects,
  expectedVersion: number | undefined,
): Write[] {
  const condition = expectedVersion === undefined ? isNew : is("version", expectedVersion);
  return [
    put(ViewPointers, { ...next, view }, condition),
    put(SupersededViews, { ...superseded, view }),
  ];
}

/** @returns false: its condition does not hold */
export async function isDone(written: Promise<unknown>): Promise<boolean> {
  try {
    await written;
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}
