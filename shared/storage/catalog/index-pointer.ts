import * as z from "zod";
import {
  SupersededObjects,
  UnreadableIndex,
  IndexPointer,
  viewFormat,
} from "../../domain/listing/index-pointer.ts";
import { type Condition, either, is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { Refused, type Write, check, put } from "../writes.ts";

/** The public's view of what is published, and staff's of everything. */
export type IndexName = "catalog" | "staff";

/** A view in one of the formats in which it may be stored. */
export interface StoredIndex {
  view: IndexName;
  format: number;
}

/** The first format is the only one whose rows do not name it. */
export const ofFormat = (row: string, format: number) => (format === 1 ? row : `${row}#${format}`);

export const IndexPointers = entity({
  name: "view_pointer",
  schema: IndexPointer,
  key: ({ view, format }: StoredIndex) => ({
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
export const SupersededIndexes = entity({
  name: "superseded_view",
  schema: SupersededObjects,
  key: ({ view, format }: StoredIndex) => ({
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
export const KeptIndexes = entity({
  name: "kept_view",
  schema: z.object({
    format: z.int().min(1),
    /** What changed while another format was kept is missing, and no rebuild was asked for yet. */
    rebuild_due: z.boolean().optional(),
  }),
  key: ({ view }: Pick<StoredIndex, "view">) => ({ pk: `VIEW#${view}`, sk: "KEPT" }),
});

/** What is kept where nobody has ever said so. */
export const keptAtFirst: z.output<typeof KeptIndexes.schema> = { format: 1 };

export interface IndexPointerStore {
  /** Throws UnreadableIndex where there are views of other formats alone. */
  pointer(): Promise<IndexPointer | undefined>;
  superseded(): Promise<SupersededObjects | undefined>;
  /**
   * Moves the pointer, with the list of what it leaves, if it still has the version expected and its format is the one
   * that is kept; else false.
   */
  advance(
    next: IndexPointer,
    superseded: SupersededObjects,
    expectedVersion: number | undefined,
  ): Promise<boolean>;
}

export function openIndexPointer(
  table: Table,
  view: IndexName,
  format: number = viewFormat,
): IndexPointerStore {
  const stored = { view, format };
  return {
    async pointer() {
      const own = await table.get(IndexPointers, stored);
      if (own) return own;
      const { others } = await table.getPartition(`VIEW#${view}`, { others: IndexPointers });
      if (others.length > 0) throw new UnreadableIndex(`There is no ${view} view of this release`);
      return undefined;
    },
    superseded: () => table.get(SupersededIndexes, stored),
    advance: (next, superseded, expectedVersion) =>
      isDone(
        table.transact([
          ...moving(stored, next, superseded, expectedVersion),
          check(KeptIndexes, stored, isKept(format)),
        ]),
      ),
  };
}

/** The writes that move the pointer. */
export function moving(
  stored: StoredIndex,
  next: IndexPointer,
  superseded: SupersededObjects,
  expectedVersion: number | undefined,
): Write[] {
  const condition = expectedVersion === undefined ? isNew : is("version", expectedVersion);
  return [
    put(IndexPointers, { ...next, ...stored }, condition),
    put(SupersededIndexes, { ...superseded, ...stored }),
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
