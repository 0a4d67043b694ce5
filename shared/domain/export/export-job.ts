import * as z from "zod";
import { ExportFormat, ExportType, ExportedFile } from "./export.ts";
import { Id } from "../base/ids.ts";
import { Timestamp } from "../base/text.ts";

/** An unfinished file of an export, with the parts of its multipart upload that are stored so far. */
const UnfinishedFile = z.object({
  upload_id: z.string(),
  /** The ETags of the stored parts, in order. */
  etags: z.array(z.string()),
  records: z.int().min(0),
  /** Where the next part begins; null if all rows are stored. */
  position: z.string().nullable(),
});
export type UnfinishedFile = z.output<typeof UnfinishedFile>;

/** One run of an export for one caller. */
export const ExportJob = z.object({
  id: Id("exp"),
  type: ExportType,
  format: ExportFormat,
  requested_by: Id("stf"),
  status: z.enum(["running", "ready", "failed"]),
  /** Number of records written so far. */
  records: z.int().min(0),
  /** Finished files. */
  files: z.array(ExportedFile),
  unfinished: UnfinishedFile.nullable(),
  result: z.object({ name: z.string(), bytes: z.int().min(0), sha256: z.string() }).nullable(),
  /** The worker's lease; an empty holder means that the job waits in the queue. */
  lease: z.object({ holder: z.string(), until: Timestamp }),
  /** Failed attempts, including those of workers whose lease expired. */
  failures: z.int().min(0),
  version: z.int().min(1),
  started_at: Timestamp,
  ended_at: Timestamp.nullable(),
});
export type ExportJob = z.output<typeof ExportJob>;

/** The identity of a job: one per type, format and caller. */
export const ExportJobId = ExportJob.pick({ type: true, format: true, requested_by: true });
export type ExportJobId = z.output<typeof ExportJobId>;

/** How long a lease is valid without renewal. */
const leaseMs = 60_000;
/** How long the result of a run is returned. After that the same request starts a new run. */
const resultMs = 60_000;
/** Maximum number of attempts per run. */
const mostFailures = 5;
/** A run that takes longer than this counts as failed. */
const givenUpMs = 6 * 3_600_000;
/** How long the job's row and its file are kept. */
const keptMs = 24 * 3_600_000;

const after = (moment: Date, ms: number) => new Date(moment.getTime() + ms).toISOString();
const since = (moment: string, now: Date) => now.getTime() - Date.parse(moment);

export const newExportJob = (
  of: ExportJobId,
  { id, now }: { id: string; now: Date },
): ExportJob => ({
  ...of,
  id,
  status: "running",
  records: 0,
  files: [],
  unfinished: null,
  result: null,
  lease: { holder: "", until: after(now, leaseMs) },
  failures: 0,
  version: 1,
  started_at: now.toISOString(),
  ended_at: null,
});

/** Whether a request for this export joins this run instead of starting a new one. */
export const canBeJoined = ({ started_at, ended_at }: ExportJob, now: Date): boolean =>
  ended_at === null ? since(started_at, now) < givenUpMs : since(ended_at, now) < resultMs;

/** Whether the lease has expired. */
export const isAbandonedJob = ({ status, lease }: ExportJob, now: Date): boolean =>
  status === "running" && Date.parse(lease.until) <= now.getTime();

/** Whether a worker may claim the job: it waits in the queue, or its lease has expired. */
export const canBeClaimed = (job: ExportJob, now: Date): boolean =>
  job.status === "running" && (job.lease.holder === "" || isAbandonedJob(job, now));

/** The job after a step of the worker that holds the lease. Each step renews the lease. */
export const advanced = (
  job: ExportJob,
  change: Partial<Pick<ExportJob, "records" | "files" | "unfinished">>,
  holder: string,
  now: Date,
): ExportJob => ({
  ...job,
  ...change,
  lease: { holder, until: after(now, leaseMs) },
  version: job.version + 1,
});

export const withReleasedLease = (job: ExportJob, now: Date): ExportJob => ({
  ...job,
  lease: { holder: "", until: after(now, leaseMs) },
  version: job.version + 1,
});

/** The job after a failed attempt: released, or failed if it was the last attempt. */
export function afterFailure(job: ExportJob, now: Date): ExportJob {
  const next = { ...withReleasedLease(job, now), failures: job.failures + 1 };
  return next.failures < mostFailures
    ? next
    : { ...next, status: "failed", unfinished: null, ended_at: now.toISOString() };
}

export const finished = (
  job: ExportJob,
  result: NonNullable<ExportJob["result"]>,
  now: Date,
): ExportJob => ({
  ...job,
  result,
  status: "ready",
  unfinished: null,
  ended_at: now.toISOString(),
  version: job.version + 1,
});

/** When the job's row expires, as Unix time in ms. */
export const exportExpiresAt = ({ started_at }: Pick<ExportJob, "started_at">): number =>
  Date.parse(started_at) + keptMs;
