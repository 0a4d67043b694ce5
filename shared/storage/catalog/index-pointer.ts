import * as z from "zod";
import {
  SupersededObjects,
  UnreadableIndex,
  IndexPointer,
  indexFormat,
} from "../../domain/listing/index-pointer.ts";
import { type Condition, either, is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, check, put, unlessRefused } from "../writes.ts";

/** The public index covers published records; the staff index covers all records. */
export type CatalogIndexName = "catalog" | "staff";

/** A catalog index in one of its storage formats. */
export interface StoredIndex {
  index: CatalogIndexName;
  format: number;
}

/** Only format 1 has rows without the format in their key. */
export const ofFormat = (row: string, format: number) => (format === 1 ? row : `${row}#${format}`);

export const IndexPointers = entity({
  name: "view_pointer",
  schema: IndexPointer,
  key: ({ index, format }: StoredIndex) => ({
    pk: `VIEW#${index}`,
    sk: ofFormat("POINTER", format),
  }),
  patterns: {
    table: [
      ["VIEW#<index>", "POINTER"],
      ["VIEW#<index>", "POINTER#<format>"],
    ],
  },
});

/** The superseded objects of a stored index. Only the catalog index writer reads and writes them. */
export const SupersededIndexes = entity({
  name: "superseded_view",
  notExported: "derived",
  schema: SupersededObjects,
  key: ({ index, format }: StoredIndex) => ({
    pk: `VIEW#${index}`,
    sk: ofFormat("SUPERSEDED", format),
  }),
  patterns: {
    table: [
      ["VIEW#<index>", "SUPERSEDED"],
      ["VIEW#<index>", "SUPERSEDED#<format>"],
    ],
  },
});

/** The format that receives changes. Indexes in other formats lack recent changes. */
export const CurrentFormats = entity({
  name: "kept_view",
  notExported: "derived",
  schema: z.object({
    format: z.int().min(1),
    /**
     * True if the format lacks changes that were made while another format was current, and the rebuild that adds them
     * has not been requested yet.
     */
    rebuild_due: z.boolean().optional(),
  }),
  key: ({ index }: Pick<StoredIndex, "index">) => ({ pk: `VIEW#${index}`, sk: "KEPT" }),
});

/** The default if no format was ever chosen. */
export const initialFormat: z.output<typeof CurrentFormats.schema> = { format: 1 };

export interface IndexPointerStore {
  /** Throws UnreadableIndex if indexes exist only in other formats. */
  pointer(): Promise<IndexPointer | undefined>;
  superseded(): Promise<SupersededObjects | undefined>;
  /**
   * Moves the pointer and records the superseded objects, if the version is the expected one and the format is
   * current. Returns false otherwise.
   */
  advance(
    next: IndexPointer,
    superseded: SupersededObjects,
    expectedVersion: number | undefined,
  ): Promise<boolean>;
}

export function openIndexPointer(
  table: Table,
  index: CatalogIndexName,
  format: number = indexFormat,
): IndexPointerStore {
  const stored = { index, format };
  return {
    async pointer() {
      const own = await table.get(IndexPointers, stored);
      if (own) return own;
      const { others } = await table.getPartition(`VIEW#${index}`, { others: IndexPointers });
      if (others.length > 0)
        throw new UnreadableIndex(`There is no ${index} index of this release`);
      return undefined;
    },
    superseded: () => table.get(SupersededIndexes, stored),
    advance: (next, superseded, expectedVersion) =>
      unlessRefused(
        table.transact([
          ...moving(stored, next, superseded, expectedVersion),
          check(CurrentFormats, stored, isCurrentFormat(format)),
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

export const isCurrentFormat = (format: number): Condition =>
  format === initialFormat.format ? either(isNew, is("format", format)) : is("format", format);
