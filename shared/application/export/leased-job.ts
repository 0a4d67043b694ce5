import {
  type ExportJob,
  type ExportJobId,
  advanced,
  canBeClaimed,
  finished,
  withReleasedLease,
  afterFailure,
} from "#shared/domain/export/export-job.ts";
import { ExportJobs, stepExport } from "#shared/storage/export/export-jobs.ts";
import type { Table } from "#shared/storage/table.ts";
import { Refused } from "#shared/storage/writes.ts";

type Step = Partial<Pick<ExportJob, "records" | "files" | "unfinished">>;

/** A job that this worker has leased. Every method throws Refused once another worker has the lease. */
export interface LeasedJob {
  current(): ExportJob;
  /** Stores the progress of the job: its record count, complete files and unfinished file. */
  advance(step: Step): Promise<void>;
  /** Renews the lease and records the progress; writes once every few seconds at most. */
  renew(records: number): Promise<void>;
  finish(result: NonNullable<ExportJob["result"]>): Promise<void>;
  /** Releases the lease for the next worker. */
  release(): Promise<void>;
  /**
   * Releases the lease after a failure, unless the job has used up its attempts. @returns whether the job will be
   * retried
   */
  releaseFailed(): Promise<boolean>;
}

const signEveryMs = 2_000;

/** Leases a job; undefined if it is finished, has failed, or another worker has the lease. */
export async function leaseJob(
  table: Table,
  id: ExportJobId,
  { holder, now }: { holder: string; now: () => Date },
): Promise<LeasedJob | undefined> {
  const found = await table.get(ExportJobs, id);
  if (!found || !canBeClaimed(found, now())) return undefined;
  let job = found;
  let shownAt = 0;

  async function store(after: ExportJob): Promise<void> {
    await table.write(stepExport(job, after));
    job = after;
    shownAt = now().getTime();
  }
  const advance = (step: Step) => store(advanced(job, step, holder, now()));
  try {
    // The previous worker crashed without releasing the lease.
    if (found.lease.holder !== "") await store(afterFailure(found, now()));
    if (job.status === "failed") return undefined;
    await advance({});
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
  return {
    current: () => job,
    advance,
    async renew(records) {
      if (now().getTime() - shownAt >= signEveryMs) await advance({ records });
    },
    finish: (result) => store(finished(job, result, now())),
    release: () => store(withReleasedLease(job, now())),
    async releaseFailed() {
      await store(afterFailure(job, now()));
      return job.status === "running";
    },
  };
}
