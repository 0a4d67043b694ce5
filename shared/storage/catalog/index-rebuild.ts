import { viewFormat } from "../../domain/listing/index-pointer.ts";
import { IndexRebuild, type IndexRebuildStore } from "../../domain/listing/index-rebuild.ts";
import { type Condition, every, is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import {
  KeptIndexes,
  type StoredIndex,
  type IndexName,
  isDone,
  isKept,
  keptAtFirst,
  moving,
  ofFormat,
} from "./index-pointer.ts";
import { check, put, remove } from "../writes.ts";

/** Read and written by the view's writer alone. */
export const IndexRebuilds = entity({
  name: "view_rebuild",
  schema: IndexRebuild,
  key: ({ view, format }: StoredIndex) => ({
    pk: `VIEW#${view}`,
    sk: ofFormat("REBUILD", format),
  }),
  patterns: {
    table: [
      ["VIEW#<view>", "REBUILD"],
      ["VIEW#<view>", "REBUILD#<format>"],
    ],
  },
});

export interface IndexRebuildOptions {
  format?: number;
  /** The view is made for a release to come: changes go on being laid over the format that is kept now. */
  ahead?: boolean;
}

export function openIndexRebuilds(
  table: Table,
  view: IndexName,
  { format = viewFormat, ahead = false }: IndexRebuildOptions = {},
): IndexRebuildStore {
  const stored = { view, format };
  const kept = async () => (await table.get(KeptIndexes, stored)) ?? keptAtFirst;
  return {
    current: () => table.get(IndexRebuilds, stored),
    replace: (next, before) =>
      isDone(
        table.write(put(IndexRebuilds, { ...next, ...stored }, before ? same(before) : isNew)),
      ),
    adopt: (next, superseded, expectedVersion, made) =>
      isDone(
        table.transact([
          ...moving(stored, next, superseded, expectedVersion),
          remove(IndexRebuilds, stored, same(made)),
          ...(ahead ? [] : [check(KeptIndexes, stored, isKept(format))]),
        ]),
      ),
    isKept: async () => (await kept()).format === format,
    async isTakenOver() {
      const { format: current, rebuild_due } = await kept();
      return current === format && !rebuild_due;
    },
    keep: () =>
      table.transact([
        put(KeptIndexes, { ...stored, rebuild_due: true }),
        // One that is under way does not know of what changed before.
        remove(IndexRebuilds, stored),
      ]),
    // Unless another format has taken over since.
    async tookOver() {
      await isDone(table.write(put(KeptIndexes, stored, is("format", format))));
    },
  };
}

const same = ({ id, version }: IndexRebuild): Condition =>
  every(is("id", id), is("version", version));
