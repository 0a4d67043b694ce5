import { openObjectReader } from "#shared/files/object-reader.ts";

export const commands = [openObjectReader];

/** One GET of an object that does not exist. */
export async function read(environment: NodeJS.ProcessEnv): Promise<void> {
  const bucket = environment["INDEX_BUCKET"] ?? "";
  const read = openObjectReader({ bucket, endpoint: environment["S3_ENDPOINT"] });
  await read("nothing").catch(() => undefined);
}
