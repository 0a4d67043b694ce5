import * as z from "zod";
import { ExportFormat, ExportType, ExportedFile } from "./export.ts";
import { Id } from "../base/ids.ts";
import { Timestamp } from "../base/text.ts";

/** A file that is half written: what of it is in storage, and where its rows go on. */
const UnfinishedFile = z.object({
  upload_id: z.string(),
  /** Of the parts in storage, in their order. */
  etags: z.array(z.string()),
  records: z.int().min(0),
  /** Null: all rows are in storage. */
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
  /** Written so far; of a finished one, all. */
  records: z.int().min(0),
  /** Those that are whole. */
  files: z.array(ExportedFile),
  unfinished: UnfinishedFile.nullable(),
  result: z.object({ name: z.string(), bytes: z.int().min(0), sha256: z.string() }).nullable(),
  /** Who works on it and for how long that is believed without a sign of life; an empty name: it waits in the queue. */
  lease: z.object({ holder: z.string(), until: Timestamp }),
  /** Attempts that came to nothing, those of workers who were not heard of again included. */
  failures: z.int().min(0),
  version: z.int().min(1),
  started_at: Timestamp,
  ended_at: Timestamp.nullable(),
});
export type ExportJob = z.output<typeof ExportJob>;

/** Which of a caller's exports is meant: there is one job of a type and format for each. */
export const ExportJobId = ExportJob.pick({ type: true, format: true, requested_by: true });
export type ExportJobId = z.output<typeof ExportJobId>;

/** How long a sign of life counts. */
const leaseMs = 60_000;
/** How a run ended is told for so long; then the same question makes a new one. */
const toldMs = 60_000;
/** So many attempts a run has. */
const mostFailures = 5;
/** Whatever runs longer will never end. */
const givenUpMs = 6 * 3_600_000;
/** The row and its file are of no use after that. */
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

/** Whether somebody who asks for this export now is to be given this run of it. */
export const canBeJoined = ({ started_at, ended_at }: ExportJob, now: Date): boolean =>
  ended_at === null ? since(started_at, now) < givenUpMs : since(ended_at, now) < toldMs;

/** Whether nobody has shown for too long that it is worked on. */
export const isAbandoned = ({ status, lease }: ExportJob, now: Date): boolean =>
  status === "running" && Date.parse(lease.until) <= now.getTime();

/** Whether a worker may take it up: it waits, or whoever had it is gone. */
export const canBeTaken = (job: ExportJob, now: Date): boolean =>
  job.status === "running" && (job.lease.holder === "" || isAbandoned(job, now));

/** The job after a step of the worker who holds it, which is a sign of life too. */
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

/** The job for whoever comes next. */
export const handedOn = (job: ExportJob, now: Date): ExportJob => ({
  ...job,
  lease: { holder: "", until: after(now, leaseMs) },
  version: job.version + 1,
});

/** The job after an attempt that failed: for whoever comes next, unless that was the last. */
export function stumbled(job: ExportJob, now: Date): ExportJob {
  const next = { ...handedOn(job, now), failures: job.failures + 1 };
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

/** When its row may vanish, in ms. */
export const exportExpiresAt = ({ started_at }: Pick<ExportJob, "started_at">): number =>
  Date.parse(started_at) + keptMs;
