import { connectConsumer } from "#functions/connect/consumer.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { UploadPorts } from "#shared/application/upload/settle-upload.ts";
import { openFileKeeper } from "#shared/files/file-keeper.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { limitPictureWork } from "#shared/files/make-picture.ts";
import { openMediaLibrary } from "#shared/storage/upload/media.ts";

export interface Deps extends UploadPorts {
  log: Log;
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
