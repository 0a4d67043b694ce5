import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { exportedAt, readRows } from "#infra/cli/import/read-rows.ts";
import type { MediaItem } from "#shared/domain/upload/media-item.ts";
import type { ExportedPart } from "#shared/domain/export/export.ts";

/** A file of the demo shop: of its export, below `media/` of its media library, or `stock.jsonl`, the units on hand. */
export const fileAt = (name: string): string =>
  fileURLToPath(new URL(`export/${name}`, import.meta.url));

type Records<Schemas extends Record<string, z.ZodType>> = {
  [Name in keyof Schemas]: z.output<Schemas[Name]>[];
};

/**
 * Reads a file of the demo shop's export, as an import does.
 *
 * @param schemas the schema of each type of record
 * @throws RangeError with the line of a record that has another type or does not match its schema
 */
export async function readExport<Schemas extends Record<string, z.ZodType>>(
  part: ExportedPart,
  schemas: Schemas,
): Promise<{ exportedAt: Date; records: Records<Schemas> }> {
  const file = fileAt(`${part}.json`);
  const records = Object.fromEntries(Object.keys(schemas).map((name) => [name, [] as unknown[]]));
  for await (const { line, record, data } of readRows(file, part)) {
    const row = schemas[record]?.safeParse(data);
    if (!row?.success) {
      const problem = row ? z.prettifyError(row.error) : "unknown type";
      throw new RangeError(`${file}, line ${line}, ${record}: ${problem}`);
    }
    records[record]?.push(row.data);
  }
  // Each list was filled with the output of the schema of the same name.
  return { exportedAt: await exportedAt(file), records: records as Records<Schemas> };
}

/** The bytes of a file of the demo shop's media library. */
export const readMedia = ({ filename }: { filename: string }): Promise<Uint8Array> =>
  readFile(fileAt(`media/${filename}`));

/** The bytes of the scaled copies of a file of the demo shop's media library, in the order of its record. */
export const readCopies = ({ filename, variants }: Copied): Promise<Uint8Array>[] =>
  variants.map(({ width }) =>
    readFile(fileAt(`media/${filename.replace(/\.\w+$/, "")}-${width}.webp`)),
  );

type Copied = Pick<MediaItem, "filename" | "variants">;

/** The records of `stock.jsonl`, because no export contains stock levels. */
export async function readLevels<Level>(schema: z.ZodType<Level>): Promise<Level[]> {
  const text = await readFile(fileAt("stock.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => schema.parse(JSON.parse(line)));
}

/** Moves the times of an exported record, so that it is as old `now` as it was at its export. */
export function asOf(now: Date, exportedAt: Date): <Row extends object>(row: Row) => Row {
  const later = now.getTime() - exportedAt.getTime();
  const moved = (name: string, value: unknown) =>
    name.endsWith("_at") && typeof value === "string"
      ? new Date(Date.parse(value) + later).toISOString()
      : value;
  return <Row extends object>(row: Row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, moved(name, value)]),
    ) as Row;
}
