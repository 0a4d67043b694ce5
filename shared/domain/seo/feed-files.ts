import * as z from "zod";
import { Timestamp } from "../base/text.ts";

/** A sitemap, the index of the sitemaps, or the product feed, as a compressed file. */
export const FeedFile = z.object({
  /** The path at the API, without the slash at the beginning. */
  path: z.string(),
  /** The key in the bucket of public files. */
  key: z.string(),
  /** The size of the uncompressed text in bytes. */
  bytes: z.int().min(0),
});
export type FeedFile = z.output<typeof FeedFile>;

/** The files that were written last. */
export const FeedFiles = z.object({
  files: z.array(FeedFile),
  /** Identifies the state of the public data that the files show: it changes with every change of that data. */
  state: z.string(),
  /** Whether the files were written again after the run that first saw this state. */
  is_settled: z.boolean(),
  written_at: Timestamp,
  /** The number of SKUs and sofas that the product feed does not list, because they have no picture for it. */
  without_picture: z.int().min(0).default(0),
});
export type FeedFiles = z.output<typeof FeedFiles>;

/** The folder of the files in the bucket. S3 deletes them there after a week. */
export const feedFolder = "feeds";

const dayMs = 24 * 60 * 60_000;

/**
 * Whether the files must be written: when public data has changed, and once more at the next run, because the table's
 * indexes lag behind writes. Also once a day, so that the dates in the files stay right and S3 does not delete the
 * files.
 */
export function needsWriting(written: FeedFiles | undefined, state: string, now: Date): boolean {
  if (written?.state !== state || !written.is_settled) return true;
  return now.getTime() - Date.parse(written.written_at) >= dayMs;
}
