import type { SomeTimes } from "../base/publication-schedule.ts";
import type { PublicationStatus } from "../base/names.ts";
import type { Sellable } from "./product.ts";
import { timesAfter } from "./sellable-times.ts";

/** The next version of a record, with the time of the change. The first published version also gets `published_at`. */
export function stamped<Record extends Pick<Sellable, "status" | "published_at" | "version">>(
  record: Record,
  now: Date,
): Record {
  const at = now.toISOString();
  const published_at = record.published_at ?? (record.status === "published" ? at : null);
  return { ...record, published_at, updated_at: at, version: record.version + 1 };
}

/** The next version of a product or sofa after an edit of only its status and times. */
export const withStatus = <Record extends Sellable>(
  before: Record,
  { status, times, now }: { status: PublicationStatus; times: SomeTimes; now: Date },
): Record => stamped({ ...before, ...timesAfter(before, status, times), status }, now);
