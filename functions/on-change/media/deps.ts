import { connectConsumer } from "#functions/connect/consumer.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";
import { type FileKeeper, openFileKeeper } from "#shared/files/file-keeper.ts";
import { type ObjectStore, openObjectStore } from "#shared/files/object-store.ts";
import { type MediaLibrary, openMediaLibrary } from "#shared/storage/upload/media.ts";
import { limitPictureWork } from "../picture.ts";

export interface Deps {
  table: Table;
  media: MediaLibrary;
  quarantine: ObjectStore;
  published: ObjectStore;
  /** Publishes uploads unchanged. */
  files: FileKeeper;
  log: Log;
  now(): Date;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  limitPictureWork();
  const consumer = connectConsumer(environment, "on-change-media");
  const quarantine = bucketOf(environment, "QUARANTINE_BUCKET");
  const published = bucketOf(environment, "MEDIA_BUCKET");
  return {
    ...consumer,
    media: openMediaLibrary(consumer.table, consumer.now),
    quarantine: openObjectStore(quarantine),
    published: openObjectStore(published),
    files: openFileKeeper({ ...published, from: quarantine.bucket, to: published.bucket }),
  };
}
