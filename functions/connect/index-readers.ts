import type { IfOpened, Opener, Parts, Shop } from "#shared/application/shop.ts";
import { openObjectReader } from "#shared/files/object-reader.ts";
import { openIndexReader } from "#shared/search/index-reader.ts";
import { openIndexPointer } from "#shared/storage/catalog/index-pointer.ts";
import { readPublicState } from "#shared/storage/public-state.ts";
import { bucketOf } from "./bucket.ts";

type Reading = Shop<"table" | "mediaBaseUrl" | "log"> & IfOpened<"requestHandler">;

export const indexReader: Opener<Parts["indexReader"], Reading & Shop<"elapsed">> = (
  environment,
  { table, mediaBaseUrl, log, elapsed: now, requestHandler },
) =>
  openIndexReader({
    async state() {
      const { generation, pointer } = await readPublicState(table);
      return {
        generation,
        pointer: pointer ?? (await openIndexPointer(table, "catalog").pointer()),
      };
    },
    object: openObjectReader(bucketOf(environment, "INDEX_BUCKET", { requestHandler })),
    now,
    mediaBaseUrl,
    log,
  });

export const staffIndexReader: Opener<Parts["staffIndexReader"], Reading> = (
  environment,
  { table, mediaBaseUrl, log, requestHandler },
) => {
  const { pointer } = openIndexPointer(table, "staff");
  return openIndexReader({
    state: async () => ({ pointer: await pointer() }),
    object: openObjectReader(bucketOf(environment, "INDEX_BUCKET", { requestHandler })),
    // `Infinity` makes every request check for a newer index version, so that staff find what they have just saved.
    now: () => Infinity,
    mediaBaseUrl,
    log,
  });
};
