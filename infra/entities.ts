import { readdir } from "node:fs/promises";
import type { Entity } from "#shared/storage/entity.ts";
import { entitiesIn } from "#shared/storage/key-patterns.ts";

const folder = new URL("../shared/storage/", import.meta.url);

/** Every entity declared in `shared/storage`. */
export async function everyEntity(): Promise<Entity[]> {
  const files = (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith(".ts"))
    .toSorted();
  const modules = await Promise.all(
    files.map((name) => import(new URL(name, folder).href) as Promise<object>),
  );
  return entitiesIn(modules);
}
