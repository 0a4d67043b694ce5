import { viewFormat } from "../catalog-view/pointer.ts";
import { ViewRebuild, type ViewRebuildStore } from "../catalog-view/view-rebuild.ts";
import { type Condition, every, is, isNew } from "./conditions.ts";
import { entity } from "./entity.ts";
import type { Table } from "./table.ts";
import {
  KeptViews,
  type StoredView,
  type ViewName,
  isDone,
  isKept,
  keptAtFirst,
  moving,
  ofFormat,
} from "./view-pointer.ts";
import { check, put, remove } from "./writes.ts";

/** Read and written by the view's writer alone. */
export const ViewRebuilds = entity({
  name: "view_rebuild",
  schema: ViewRebuild,
  key: ({ view, format }: StoredView) => ({
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

export interface ViewRebuildOptions {
  format?: number;
  /** The view is made for a release to come: changes go on being laid over the format that is kept now. */
  ahead?: boolean;
}

export function openViewRebuilds(
  table: Table,
  view: ViewName,
  { format = viewFormat, ahead = false }: ViewRebuildOptions = {},
): ViewRebuildStore {
  const stored = { view, format };
  const kept = async () => (await table.get(KeptViews, stored)) ?? keptAtFirst;
  return {
    current: () => table.get(ViewRebuilds, stored),
    replace: (next, before) =>
      isDone(table.write(put(ViewRebuilds, { ...next, ...stored }, before ? same(before) : isNew))),
    adopt: (next, superseded, expectedVersion, made) =>
      isDone(
        table.transact([
          ...moving(stored, next, superseded, expectedVersion),
          remove(ViewRebuilds, stored, same(made)),
          ...(ahead ? [] : [check(KeptViews, stored, isKept(format))]),
        ]),
      ),
    isKept: async () => (await kept()).format === format,
    async isTakenOver() {
      const { format: current, rebuild_due } = await kept();
      return current === format && !rebuild_due;
    },
    keep: () =>
      table.transact([
        put(KeptViews, { ...stored, rebuild_due: true }),
        // One that is under way does not know of what changed before.
        remove(ViewRebuilds, stored),
      ]),
    // Unless another format has taken over since.
    async tookOver() {
      await isDone(table.write(put(KeptViews, stored, is("format", format))));
    },
  };
}

const same = ({ id, version }: ViewRebuild): Condition =>
  every(is("id", id), is("version", version));
