import {
  ViewRebuild,
  type ViewRebuilds as ViewRebuildStore,
} from "../catalog-view/view-rebuild.ts";
import { type Condition, every, is, isNew } from "./conditions.ts";
import { entity } from "./entity.ts";
import type { Table } from "./table.ts";
import { type ViewName, isDone, moving } from "./view-pointer.ts";
import { put, remove } from "./writes.ts";

/** Read and written by the view's writer alone. */
export const ViewRebuilds = entity({
  name: "view_rebuild",
  schema: ViewRebuild,
  key: ({ view }: { view: ViewName }) => ({ pk: `VIEW#${view}`, sk: "REBUILD" }),
});

export function openViewRebuilds(table: Table, view: ViewName): ViewRebuildStore {
  return {
    current: () => table.get(ViewRebuilds, { view }),
    replace: (next, before) =>
      isDone(table.write(put(ViewRebuilds, { ...next, view }, before ? same(before) : isNew))),
    adopt: (next, superseded, expectedVersion, made) =>
      isDone(
        table.transact([
          ...moving(view, next, superseded, expectedVersion),
          remove(ViewRebuilds, { view }, same(made)),
        ]),
      ),
  };
}

const same = ({ id, version }: ViewRebuild): Condition =>
  every(is("id", id), is("version", version));
