import type { Shop } from "#shared/application/shop.ts";
import type { ExportJobId } from "#shared/domain/export/export-job.ts";
import { exportPartsOf } from "#shared/domain/export/export.ts";
import { Refused } from "#shared/storage/writes.ts";
import { archive } from "./archive.ts";
import { type LeasedJob, leaseJob } from "./leased-job.ts";
import { exportRows } from "./rows-of.ts";
import { writeFile } from "./write-file.ts";

type ExportingShop = Shop<"table" | "now" | "staffIndexSource" | "exportFiles" | "exportsQueue">;

/** Lambda's 15 minutes, less the time that a part and a checksum may take. */
const longestRunMs = 12 * 60_000;

/** A job has used up its attempts. */
export class GivenUp extends Error {
  override readonly name = "GivenUp";
}

/**
 * Works on an export until it is finished or the time is over; then enqueues it again. Nothing happens if the job is
 * finished or another worker holds it.
 *
 * @param holder the worker's name in the lease
 * @param budgetMs after this time, another invocation continues the job
 * @throws GivenUp after the last attempt
 */
export async function makeExport(
  id: ExportJobId,
  holder: string,
  shop: ExportingShop,
  budgetMs = longestRunMs,
): Promise<void> {
  const job = await leaseJob(shop.table, id, { holder, now: shop.now });
  if (!job) return;
  try {
    if (await make(job, shop, budgetMs)) return;
    await job.release();
    await shop.exportsQueue.send([id]);
  } catch (error) {
    // Another worker has the lease and continues the job.
    if (error instanceof Refused) return;
    if (await job.releaseFailed()) throw error;
    throw new GivenUp(`The export ${job.current().id} failed permanently`, { cause: error });
  }
}

/** @returns false if the function's time ends before the job is finished */
async function make(job: LeasedJob, shop: ExportingShop, budgetMs: number): Promise<boolean> {
  const { exportFiles: objects, now } = shop;
  const { type, started_at } = job.current();
  const end = now().getTime() + budgetMs;
  const isLate = () => now().getTime() >= end;
  // All workers of a job use the time of its start as the current time, so that its files agree.
  const sources = { ...shop, now: () => new Date(started_at) };

  const done = new Set(job.current().files.map(({ part }) => part));
  for (const part of exportPartsOf(type).filter((each) => !done.has(each))) {
    const read = exportRows(part, sources);
    if (!(await writeFile(part, { job, objects, read, isLate }))) return false;
  }
  const [only] = job.current().files;
  await job.finish(type === "full" || !only ? await archive(job, objects) : only);
  return true;
}
