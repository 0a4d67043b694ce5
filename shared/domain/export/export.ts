import * as z from "zod";
import type { Permission } from "../staff/permission.ts";

/** What can be taken out of the shop; `full` is all the others together. */
export const ExportType = z.enum(["content", "catalog", "orders", "media", "settings", "full"]);
export type ExportType = z.output<typeof ExportType>;
/** What fills one file. */
export type ExportedPart = Exclude<ExportType, "full">;

export const ExportFormat = z.enum(["json", "csv"]);
export type ExportFormat = z.output<typeof ExportFormat>;

/** The release of the files' shape; another number: what read the one before may not read it. */
export const exportVersion = 1;

/** What the caller must hold, beside `exports.run`, for each part. Names and addresses of buyers are for who keeps them. */
const needed = {
  content: ["content.view"],
  catalog: ["catalog.view"],
  orders: ["orders.view", "orders.customers"],
  media: ["media.view"],
  settings: ["settings.view"],
} as const satisfies Record<ExportedPart, readonly Permission[]>;

export const exportedParts = Object.keys(needed) as ExportedPart[];
export const partsOf = (type: ExportType): readonly ExportedPart[] =>
  type === "full" ? exportedParts : [type];

/** The permissions that all that an export holds takes. */
export const permissionsFor = (type: ExportType): Permission[] =>
  partsOf(type).flatMap((part) => needed[part]);

/** One row of an export: which kind of record it is, and the record. */
export interface ExportRow {
  readonly record: string;
  readonly data: object;
}

/** A file that is whole, as the manifest of a `full` export names it. */
export const ExportedFile = z.object({
  part: z.enum(exportedParts as [ExportedPart, ...ExportedPart[]]),
  name: z.string(),
  records: z.int().min(0),
  bytes: z.int().min(0),
  sha256: z.string(),
});
export type ExportedFile = z.output<typeof ExportedFile>;

/** What is said of a `full` export's files, inside of it. */
export const exportManifest = (
  format: ExportFormat,
  exportedAt: string,
  files: readonly ExportedFile[],
) => ({ type: "full", version: exportVersion, format, exported_at: exportedAt, files });
