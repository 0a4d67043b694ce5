import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { ExportJobId } from "#shared/domain/export/export-job.ts";
import { partsOf } from "#shared/domain/export/export.ts";
import { Refused } from "#shared/storage/writes.ts";
import { archive } from "./archive.ts";
import type { Deps } from "./deps.ts";
import { type HeldJob, takeJob } from "./held-job.ts";
import { rowsOf } from "./rows-of.ts";
import { writeFile } from "./write-file.ts";

/**
 * Makes exports. Safe to repeat: who holds a job is written in it, and a message about one that is done, or that
 * somebody works on, is done with too.
 *
 * @throws GivenUp when a job has had all its attempts, so that a person is told: its message may not come again
 */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  const failed: string[] = [];
  for (const { messageId, body } of Records) {
    try {
      await work(ExportJobId.parse(JSON.parse(body)), messageId, deps);
    } catch (cause) {
      deps.log.error("Export failed", { message_id: messageId, cause });
      if (cause instanceof GivenUp) throw cause;
      failed.push(messageId);
    }
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

class GivenUp extends Error {
  override readonly name = "GivenUp";
}

async function work(id: ExportJobId, holder: string, deps: Deps): Promise<void> {
  const job = await takeJob(deps.table, id, { holder, now: deps.now });
  if (!job) return;
  try {
    if (await make(job, deps)) return;
    await job.handOn();
    await deps.queue.send([id]);
  } catch (error) {
    // Somebody else has it now, and the rest is theirs.
    if (error instanceof Refused) return;
    if (await job.stumble()) throw error;
    throw new GivenUp(`The export ${job.current().id} failed permanently`, { cause: error });
  }
}

/** @returns false: there is more to do than this function has time for */
async function make(job: HeldJob, deps: Deps): Promise<boolean> {
  const { objects, now, budgetMs } = deps;
  const { type, started_at } = job.current();
  const end = now().getTime() + budgetMs;
  const isLate = () => now().getTime() >= end;
  // Whoever goes on with it reads what there was when it began.
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
