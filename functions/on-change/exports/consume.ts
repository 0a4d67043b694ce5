import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { becauseOf } from "#shared/runtime/cause.ts";
import { ExportJobId } from "#shared/domain/export/export-job.ts";
import { partsOf } from "#shared/domain/export/export.ts";
import { Refused } from "#shared/storage/writes.ts";
import { archive } from "./archive.ts";
import type { Deps } from "./deps.ts";
import { type LeasedJob, leaseJob } from "./leased-job.ts";
import { rowsOf } from "./rows-of.ts";
import { writeFile } from "./write-file.ts";

/**
 * Runs exports. Safe to repeat: one worker leases the job, and a message about a finished or leased job is ignored.
 *
 * @throws GivenUp when a job has used up its attempts. The error raises an alarm, because the job's message may not
 *   be delivered again
 */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  const failed: string[] = [];
  for (const record of Records) {
    if (!(await becauseOf(record, () => run(record, deps)))) failed.push(record.messageId);
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

/** @returns whether the message is done. If not, the queue delivers it again */
async function run({ messageId, body }: SQSRecord, deps: Deps): Promise<boolean> {
  try {
    await work(ExportJobId.parse(JSON.parse(body)), messageId, deps);
    return true;
  } catch (cause) {
    deps.log.error("Export failed", { message_id: messageId, cause });
    if (cause instanceof GivenUp) throw cause;
    return false;
  }
}

class GivenUp extends Error {
  override readonly name = "GivenUp";
}

async function work(id: ExportJobId, holder: string, deps: Deps): Promise<void> {
  const job = await leaseJob(deps.table, id, { holder, now: deps.now });
  if (!job) return;
  try {
    if (await make(job, deps)) return;
    await job.release();
    await deps.queue.send([id]);
  } catch (error) {
    // Another worker has the lease and continues the job.
    if (error instanceof Refused) return;
    if (await job.releaseFailed()) throw error;
    throw new GivenUp(`The export ${job.current().id} failed permanently`, { cause: error });
  }
}

/** @returns false if the function's time ends before the job is finished */
async function make(job: LeasedJob, deps: Deps): Promise<boolean> {
  const { objects, now, budgetMs } = deps;
  const { type, started_at } = job.current();
  const end = now().getTime() + budgetMs;
  const isLate = () => now().getTime() >= end;
  // All workers of a job use the time of its start as the current time, so that its files agree.
  const sources = { ...deps, now: () => new Date(started_at) };

  const done = new Set(job.current().files.map(({ part }) => part));
  for (const part of partsOf(type).filter((each) => !done.has(each))) {
    const read = rowsOf(part, sources);
    if (!(await writeFile(part, { job, objects, read, isLate }))) return false;
  }
  const [only] = job.current().files;
  await job.finish(type === "full" || !only ? await archive(job, objects) : only);
  return true;
}
