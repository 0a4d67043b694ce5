import { type FileKeeper, openFileKeeper } from "#shared/files/file-keeper.ts";
import { type ObjectStore, openObjectStore } from "#shared/files/object-store.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type MediaLibrary, openMediaLibrary } from "#shared/storage/upload/media.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
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
  const { TABLE_NAME, DYNAMODB_ENDPOINT, QUARANTINE_BUCKET, MEDIA_BUCKET, S3_ENDPOINT } =
    readEnvironment(environment, [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "QUARANTINE_BUCKET",
      "MEDIA_BUCKET",
      "S3_ENDPOINT",
    ]);
  limitPictureWork();
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const now = () => new Date();
  return {
    table,
    media: openMediaLibrary(table, now),
    quarantine: openObjectStore({ bucket: QUARANTINE_BUCKET, endpoint: S3_ENDPOINT }),
    published: openObjectStore({ bucket: MEDIA_BUCKET, endpoint: S3_ENDPOINT }),
    files: openFileKeeper({ from: QUARANTINE_BUCKET, to: MEDIA_BUCKET, endpoint: S3_ENDPOINT }),
    log: openLog("on-change-media"),
    now,
  };
}
