import { randomUUID } from "node:crypto";
import { catalogWork, onlyReading } from "#shared/application/listing/catalog-work.ts";
import { catalogIndexWriter, staffIndexWriter } from "#functions/connect/index-writers.ts";
import { table } from "#functions/connect/table.ts";
import { openShop } from "#shared/application/shop.ts";
import { openIndexedCatalog } from "#shared/storage/catalog/published-catalog.ts";
import { prepareIndex } from "#shared/application/listing/prepare-index.ts";
import { staffWork } from "#shared/application/listing/staff-work.ts";
import type { IndexDeps } from "#shared/application/listing/index-work.ts";
import { plainLog } from "#shared/runtime/log.ts";
import type { CatalogIndexName } from "#shared/storage/catalog/index-pointer.ts";
import { openIndexRebuilds } from "#shared/storage/catalog/index-rebuild.ts";
import { runningEnvironment } from "../local/running-stack.ts";

/**
 * Rebuilds the indexes of the local stack, or of the deployed stack that the environment names. The deployed writers do
 * the work. If their release has another index format, this process builds the new indexes, while the shop continues to
 * use the old ones.
 */
const environment = process.env["CATALOG_INDEX_QUEUE_URL"]
  ? process.env
  : await runningEnvironment();
if (environment) {
  const log = { ...plainLog, info() {} };
  const openers = { log: () => log, table, catalogIndexWriter, staffIndexWriter };
  const shop = openShop(environment, openers);
  const published = onlyReading(openIndexedCatalog(shop.table));
  const ahead = (index: CatalogIndexName) => ({
    rebuilds: openIndexRebuilds(shop.table, index, { ahead: true }),
  });
  await rebuild("catalog", shop.catalogIndexWriter, () =>
    prepareIndex(catalogWork({ ...shop.catalogIndexWriter, published, ...ahead("catalog") })),
  );
  await rebuild("staff", shop.staffIndexWriter, () =>
    prepareIndex(staffWork({ ...shop.staffIndexWriter, table: shop.table, ...ahead("staff") })),
  );
} else {
  console.error(
    'No local stack is running. For a deployed stack, see "When an index is wrong" in infra/operate.md.',
  );
  process.exitCode = 1;
}

async function rebuild(
  index: CatalogIndexName,
  { rebuilds, queue, portionSize }: IndexDeps,
  prepare: () => Promise<boolean>,
): Promise<void> {
  if (await rebuilds.isCurrentFormat()) {
    const body = { changes: [{ kind: "rebuild" }] };
    await queue.send([{ body, group: "view", dedupe: randomUUID() }]);
    console.log(`Started: the writer rebuilds the ${index} index in batches of ${portionSize}.`);
  } else if (await prepare()) {
    console.log(
      `Built: the ${index} index of this release. Deploy the release, then run this command again.`,
    );
  } else {
    console.error(
      `Stopped: the rebuild of the ${index} index was replaced by another rebuild or a deployment, or took over an hour. Run this command again.`,
    );
    process.exitCode = 1;
  }
}
