import { randomUUID } from "node:crypto";
import { catalogWork, onlyReading } from "#functions/on-change/catalog-view/catalog-work.ts";
import { connect as connectCatalog } from "#functions/on-change/catalog-view/deps.ts";
import { prepareIndex } from "#functions/on-change/prepare-view.ts";
import { connect as connectStaff } from "#functions/on-change/staff-view/deps.ts";
import { staffWork } from "#functions/on-change/staff-view/staff-work.ts";
import type { IndexDeps } from "#functions/on-change/view-work.ts";
import { plainLog } from "#shared/runtime/log.ts";
import type { IndexName } from "#shared/storage/catalog/index-pointer.ts";
import { openIndexRebuilds } from "#shared/storage/catalog/index-rebuild.ts";
import { runningEnvironment } from "../local/running-stack.ts";

/**
 * Has the views made anew, of the stack that runs here or of the one that the environment names: by their writers, or,
 * where those are of a release with another format than this one, here and beside the views that are served.
 */
const environment = process.env["CATALOG_VIEW_QUEUE_URL"]
  ? process.env
  : await runningEnvironment();
if (environment) {
  const log = { ...plainLog, info() {} };
  const catalog = { ...connectCatalog(environment), log };
  const staff = { ...connectStaff(environment), log };
  const { table } = staff;
  const ahead = (view: IndexName) => openIndexRebuilds(table, view, { ahead: true });
  const published = onlyReading(catalog.published);
  await rebuild("catalog", catalog, () =>
    prepareIndex(catalogWork({ ...catalog, published, rebuilds: ahead("catalog") })),
  );
  await rebuild("staff", staff, () =>
    prepareIndex(staffWork({ ...staff, rebuilds: ahead("staff") })),
  );
} else {
  console.error(
    "No stack runs here. For one in the cloud see infra/README.md, When a view is wrong.",
  );
  process.exitCode = 1;
}

async function rebuild(
  view: IndexName,
  { rebuilds, queue, portionSize }: IndexDeps,
  prepare: () => Promise<boolean>,
): Promise<void> {
  if (await rebuilds.isKept()) {
    const body = { changes: [{ kind: "rebuild" }] };
    await queue.send([{ body, group: "view", dedupe: randomUUID() }]);
    console.log(`The ${view} view is being made anew, in portions of ${portionSize}.`);
  } else if (await prepare()) {
    console.log(`The ${view} view of this release is there: deploy it, then give this again.`);
  } else {
    console.error(
      `Making the ${view} view was ended: by another rebuild, by a deploy, or after an hour. Give the command again.`,
    );
    process.exitCode = 1;
  }
}
