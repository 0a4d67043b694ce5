import { globSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as z from "zod";
import type { ExportedSchema } from "#shared/http/component-names.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const declaring = ["shared/{domain,application,http}/**/*.ts", "functions/*/*.ts"];
/** Modules to leave out. Importing some of them would start a function; the others declare no routes. */
const starting = ["functions/*/handler.ts", "functions/authorizer/*.ts", "functions/on-*/*.ts"];

/** Every schema that a module exports, by the name of its export. */
export async function exportedSchemas(): Promise<ExportedSchema[]> {
  const files = globSync(declaring, { cwd: root, exclude: starting }).toSorted();
  const modules = await Promise.all(
    files.map(
      // `import` has the type `any`; a module is a record of its exports.
      (file) => import(pathToFileURL(join(root, file)).href) as Promise<Record<string, unknown>>,
    ),
  );
  return modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, schema]) =>
      schema instanceof z.ZodType && !(schema instanceof z.ZodOptional) && /^[A-Z]/.test(name)
        ? [{ name, schema }]
        : [],
    ),
  );
}
