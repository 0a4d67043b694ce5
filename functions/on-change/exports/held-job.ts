import {
  type ExportJob,
  type ExportJobId,
  advanced,
  canBeTaken,
  finished,
  handedOn,
  stumbled,
} from "#shared/domain/export/export-job.ts";
import { ExportJobs, stepExport } from "#shared/storage/export/export-jobs.ts";
import type { Table } from "#shared/storage/table.ts";
import { Refused } from "#shared/storage/writes.ts";

type Step = Partial<Pick<ExportJob, "records" | "files" | "unfinished">>;

/** A job that this worker holds. Every method throws Refused once somebody else has taken it up. */
export interface HeldJob {
  current(): ExportJob;
  /** Records a step. */
  advance(step: Step): Promise<void>;
  /** Shows that the work goes on, and how far it is; costs a write every few seconds at most. */
  showLife(records: number): Promise<void>;
  finish(result: NonNullable<ExportJob["result"]>): Promise<void>;
  /** Leaves the job to whoever comes next. */
  handOn(): Promise<void>;
  /** The same after a failure, unless the job has had all its attempts. @returns whether it goes on */
  stumble(): Promise<boolean>;
}

const signEveryMs = 2_000;

/** Takes up a job; undefined: it is done or has failed, or somebody works on it. */
export async function takeJob(
  table: Table,
  id: ExportJobId,
  { holder, now }: { holder: string; now: () => Date },
): Promise<HeldJob | undefined> {
  const found = await table.get(ExportJobs, id);
  if (!found || !canBeTaken(found, now())) return undefined;
  let job = found;
  let shownAt = 0;

  async function store(after: ExportJob): Promise<void> {
    await table.write(stepExport(job, after));
    job = after;
    shownAt = now().getTime();
  }
  const advance = (step: Step) => store(advanced(job, step, holder, now()));
  try {
    // Whoever held it has not lived to say so.
    if (found.lease.holder !== "") await store(stumbled(found, now()));
    if (job.status === "failed") return undefined;
    await advance({});
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
  return {
    current: () => job,
    advance,
    async showLife(records) {
      if (now().getTime() - shownAt >= signEveryMs) await advance({ records });
    },
    finish: (result) => store(finished(job, result, now())),
    handOn: () => store(handedOn(job, now())),
    async stumble() {
      await store(stumbled(job, now()));
      return job.status === "running";
    },
  };
}
