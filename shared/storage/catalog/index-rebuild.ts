import {
  indexFormat,
  IndexRebuild,
  type IndexRebuildStore,
} from "../../domain/listing/index-pointer.ts";
import { type Condition, every, is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import {
  CurrentFormats,
  type StoredIndex,
  type CatalogIndexName,
  isCurrentFormat,
  initialFormat,
  moving,
  ofFormat,
} from "./index-pointer.ts";
import { check, put, remove, unlessRefused } from "../writes.ts";

/** The running rebuild of a stored index. Only the catalog index writer reads and writes it. */
export const IndexRebuilds = entity({
  name: "view_rebuild",
  notExported: "derived",
  schema: IndexRebuild,
  key: ({ index, format }: StoredIndex) => ({
    pk: `VIEW#${index}`,
    sk: ofFormat("REBUILD", format),
  }),
  patterns: {
    table: [
      ["VIEW#<index>", "REBUILD"],
      ["VIEW#<index>", "REBUILD#<format>"],
    ],
  },
});

export interface IndexRebuildOptions {
  format?: number;
  /** Whether the index is rebuilt for a coming release. The current index then continues to receive changes. */
  ahead?: boolean;
}

export function openIndexRebuilds(
  table: Table,
  index: CatalogIndexName,
  { format = indexFormat, ahead = false }: IndexRebuildOptions = {},
): IndexRebuildStore {
  const stored = { index, format };
  const kept = async () => (await table.get(CurrentFormats, stored)) ?? initialFormat;
  return {
    current: () => table.get(IndexRebuilds, stored),
    replace: (next, before) =>
      unlessRefused(
        table.write(put(IndexRebuilds, { ...next, ...stored }, before ? same(before) : isNew)),
      ),
    adopt: (next, superseded, expectedVersion, made) =>
      unlessRefused(
        table.transact([
          ...moving(stored, next, superseded, expectedVersion),
          remove(IndexRebuilds, stored, same(made)),
          ...(ahead ? [] : [check(CurrentFormats, stored, isCurrentFormat(format))]),
        ]),
      ),
    isCurrentFormat: async () => (await kept()).format === format,
    async isRebuilt() {
      const { format: current, rebuild_due } = await kept();
      return current === format && !rebuild_due;
    },
    keep: () =>
      table.transact([
        put(CurrentFormats, { ...stored, rebuild_due: true }),
        // A running rebuild is dropped, because it lacks the changes made since it began.
        remove(IndexRebuilds, stored),
      ]),
    // Does nothing if another format has become current since.
    async rebuildRequested() {
      await unlessRefused(table.write(put(CurrentFormats, stored, is("format", format))));
    },
  };
}

const same = ({ id, version }: IndexRebuild): Condition =>
  every(is("id", id), is("version", version));
