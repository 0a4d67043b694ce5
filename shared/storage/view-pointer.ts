import * as z from "zod";
import {
  SupersededObjects,
  UnreadableView,
  ViewPointer,
  viewFormat,
} from "../catalog-view/pointer.ts";
import { type Condition, either, is, isNew } from "./conditions.ts";
import { entity } from "./entity.ts";
import type { Table } from "./table.ts";
import { Refused, type Write, check, put } from "./writes.ts";

/** The public's view of what is published, and staff's of everything. */
export type ViewName = "catalog" | "staff";

/** A view in one of the formats in which it may be stored. */
export interface StoredView {
  view: ViewName;
  format: number;
}

/** The first format is the only one whose rows do not name it. */
export const ofFormat = (row: string, format: number) => (format === 1 ? row : `${row}#${format}`);

export const ViewPointers = entity({
  name: "view_pointer",
  schema: ViewPointer,
  key: ({ view, format }: StoredView) => ({
    pk: `VIEW#${view}`,
    sk: ofFormat("POINTER", format),
  }),
  patterns: {
    table: [
      ["VIEW#<view>", "POINTER"],
      ["VIEW#<view>", "POINTER#<format>"],
    ],
  },
});

/** Read and written by the view's writer alone. */
export const SupersededViews = entity({
  name: "superseded_view",
  schema: SupersededObjects,
  key: ({ view, format }: StoredView) => ({
    pk: `VIEW#${view}`,
    sk: ofFormat("SUPERSEDED", format),
  }),
  patterns: {
    table: [
      ["VIEW#<view>", "SUPERSEDED"],
      ["VIEW#<view>", "SUPERSEDED#<format>"],
    ],
  },
});

/** In which format changes are laid over a view: in others it lacks what changed since. */
export const KeptViews = entity({
  name: "kept_view",
  schema: z.object({
    format: z.int().min(1),
    /** What changed while another format was kept is missing, and no rebuild was asked for yet. */
    rebuild_due: z.boolean().optional(),
  }),
  key: ({ view }: Pick<StoredView, "view">) => ({ pk: `VIEW#${view}`, sk: "KEPT" }),
});

/** What is kept where nobody has ever said so. */
export const keptAtFirst: z.output<typeof KeptViews.schema> = { format: 1 };

export interface ViewPointerStore {
  /** Throws UnreadableView where there are views of other formats alone. */
  pointer(): Promise<ViewPointer | undefined>;
  superseded(): Promise<SupersededObjects | undefined>;
  /**
   * Moves the pointer, with the list of what it leaves, if it still has the version expected and its format is the one
   * that is kept; else false.
   */
  advance(
    next: ViewPointer,
    superseded: SupersededObjects,
    expectedVersion: number | undefined,
  ): Promise<boolean>;
}

export function openViewPointer(
  table: Table,
  view: ViewName,
  format: number = viewFormat,
): ViewPointerStore {
  const stored = { view, format };
  return {
    async pointer() {
      const own = await table.get(ViewPointers, stored);
      if (own) return own;
      const { others } = await table.getPartition(`VIEW#${view}`, { others: ViewPointers });
      if (others.length > 0) throw new UnreadableView(`There is no ${view} view of this release`);
      return undefined;
    },
    superseded: () => table.get(SupersededViews, stored),
    advance: (next, superseded, expectedVersion) =>
      isDone(
        table.transact([
          ...moving(stored, next, superseded, expectedVersion),
          check(KeptViews, stored, isKept(format)),
        ]),
      ),
  };
}

/** The writes that move the pointer. */
export function moving(
  stored: StoredView,
  next: ViewPointer,
  superseded: SupersededObjects,
  expectedVersion: number | undefined,
): Write[] {
  const condition = expectedVersion === undefined ? isNew : is("version", expectedVersion);
  return [
    put(ViewPointers, { ...next, ...stored }, condition),
    put(SupersededViews, { ...superseded, ...stored }),
  ];
}

export const isKept = (format: number): Condition =>
  format === keptAtFirst.format ? either(isNew, is("format", format)) : is("format", format);

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
