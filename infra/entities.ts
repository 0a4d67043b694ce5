import { readdir } from "node:fs/promises";
import type { Entity } from "#shared/storage/entity.ts";
import { entitiesIn } from "#shared/storage/key-patterns.ts";

const folder = new URL("../shared/storage/", import.meta.url);

/** Every entity declared in `shared/storage`. */
export const everyEntity = async (): Promise<Entity[]> =>
  (await entitiesByFile()).flatMap(({ exported }) => entitiesIn([exported]));

/** What the files of `shared/storage` export, by their paths there. */
export async function entitiesByFile(): Promise<{ file: string; exported: object }[]> {
  const files = (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith(".ts"))
    .toSorted();
  return Promise.all(
    files.map(async (file) => ({
      file,
      exported: (await import(new URL(file, folder).href)) as object,
    })),
  );
}
