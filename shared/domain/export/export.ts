import { namesOf } from "../base/members.ts";
import * as z from "zod";
import type { Permission } from "../staff/permission.ts";

/** The types of exports; `full` contains all other types. */
export const ExportType = z.enum(["content", "catalog", "orders", "media", "settings", "full"]);
export type ExportType = z.output<typeof ExportType>;
/** What one file of an export contains. */
export type ExportedPart = Exclude<ExportType, "full">;

export const ExportFormat = z.enum(["json", "csv"]);
export type ExportFormat = z.output<typeof ExportFormat>;

/** The version of the files' format. A program for another version may not be able to read the files. */
export const exportVersion = 1;

/**
 * The permissions that each part requires besides `exports.run`. Orders also require `orders.customers`, because they
 * contain buyers' names and addresses.
 */
const needed = {
  content: ["content.view"],
  catalog: ["catalog.view"],
  orders: ["orders.view", "orders.customers"],
  media: ["media.view"],
  settings: ["settings.view"],
} as const satisfies Record<ExportedPart, readonly Permission[]>;

export const exportedParts = namesOf(needed);
export const exportPartsOf = (type: ExportType): readonly ExportedPart[] =>
  type === "full" ? exportedParts : [type];

/** All permissions that an export requires. */
export const permissionsFor = (type: ExportType): Permission[] =>
  exportPartsOf(type).flatMap((part) => needed[part]);

/** One row of an export: the kind of record, and the record. */
export interface ExportRow {
  readonly record: string;
  readonly data: object;
}

/** A finished file, as the manifest of a `full` export names it. */
export const ExportedFile = z.object({
  part: z.enum(exportedParts),
  name: z.string(),
  records: z.int().min(0),
  bytes: z.int().min(0),
  sha256: z.string(),
});
export type ExportedFile = z.output<typeof ExportedFile>;

/** The manifest inside a `full` export. */
export const exportManifest = (
  format: ExportFormat,
  exportedAt: string,
  files: readonly ExportedFile[],
) => ({ type: "full", version: exportVersion, format, exported_at: exportedAt, files });
