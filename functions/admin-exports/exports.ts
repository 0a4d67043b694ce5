import * as z from "zod";
import {
  type ExportJob,
  type ExportJobId,
  canBeJoined,
  isAbandoned,
  newExportJob,
} from "#shared/domain/export/export-job.ts";
import { ExportFormat, ExportType, permissionsFor } from "#shared/domain/export/export.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { lacking } from "#shared/domain/staff/covers.ts";
import { Timestamp } from "#shared/domain/base/text.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { ExportJobs, startExport } from "#shared/storage/export/export-jobs.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Deps } from "./deps.ts";

const records = z.int().min(0);

const Export = z
  .discriminatedUnion("status", [
    z.object({
      status: z.literal("ready"),
      url: z
        .url()
        .meta({ description: "Anyone with the link can download the file until it expires" }),
      expires_at: Timestamp,
      records,
      bytes: z.int(),
      sha256: z.string().meta({ description: "SHA-256 of the file, in hex" }),
    }),
    z.object({
      status: z.literal("running"),
      records: records.meta({ description: "Records written so far" }),
    }),
  ])
  .meta({ id: "Export" });
type Export = z.output<typeof Export>;

const failed = () =>
  new AppError("unavailable", {
    message: "The export failed. Please request it again in a minute.",
    headers: { "Retry-After": "60" },
  });

const linkSeconds = 15 * 60;
const retryAfterSeconds = 5;

export const getExport = route({
  method: "GET",
  path: "/admin/exports/{type}",
  summary: "Export the shop's data",
  description:
    "Starts an export, or joins the caller's running one. Returns 200 with a link valid for " +
    "15 minutes if the export finishes within 20 seconds, otherwise 202; repeat the call to " +
    "get the link. A finished export is returned for a minute; after that the call starts a " +
    "new one. A failed export returns 503 for a minute; then the call starts it again. `full` is a " +
    "zip of all other exports with a manifest. Requires `exports.run` and the permission to " +
    "view everything in the export. `orders` and `full` hold buyers' names and addresses and " +
    "also require `orders.customers`. No export contains secrets.",
  access: staff("exports.run"),
  request: {
    params: z.object({ type: ExportType }),
    query: z.strictObject({ format: ExportFormat.default("json") }),
  },
  response: { status: 200, alsoAnswers: [202], data: Export, headers: ["Retry-After"] },
  async handle(call, deps: Deps) {
    const { type } = call.params;
    const permission = lacking(call.permissions, permissionsFor(type));
    if (permission) throw new AppError("forbidden", { details: { permission } });
    const audit = auditContextOf(call);
    const id = { type, format: call.query.format, requested_by: audit.actor.id };
    const job = await awaited(await startOrJoin(id, audit, deps), deps);
    if (job.status === "failed") throw failed();
    const data = await answerOf(job, deps, new Date());
    return data.status === "ready"
      ? { data }
      : { data, status: 202, headers: { "Retry-After": String(retryAfterSeconds) } };
  },
});

/** The caller's job for this export: the running one, or a new one. Enqueues the job if no worker holds it. */
async function startOrJoin(id: ExportJobId, audit: AuditContext, deps: Deps): Promise<ExportJob> {
  const { table, queue } = deps;
  const read = () => table.get(ExportJobs, id);
  const { job, waits } = await retryOnConflict(await read(), read, async (before) => {
    if (before && canBeJoined(before, audit.now)) {
      return { job: before, waits: isAbandoned(before, audit.now) };
    }
    return { job: await start(id, before, audit, table), waits: true };
  });
  if (waits) await queue.send([id]);
  return job;
}

async function start(
  of: ExportJobId,
  before: ExportJob | undefined,
  audit: AuditContext,
  table: Table,
): Promise<ExportJob> {
  const { now } = audit;
  const job = newExportJob(of, { id: newId("exp", now), now });
  const target = { kind: "export", id: job.id, label: `${of.type}.${of.format}` };
  await table.transact([
    startExport(job, before),
    recordActivity(audit, "export.run", target, { after: of }),
  ]);
  return job;
}

/** How long a request waits for an export to finish. */
const longestWaitMs = 20_000;
const [firstPauseMs, longestPauseMs] = [100, 1_000];

/** The job once it is finished, or its current state when the wait is over. */
async function awaited(started: ExportJob, { table, now, pause }: Deps): Promise<ExportJob> {
  const end = now().getTime() + longestWaitMs;
  let job = started;
  for (let wait = firstPauseMs; job.status === "running" && now().getTime() + wait <= end;) {
    await pause(wait);
    job = (await table.get(ExportJobs, started)) ?? job;
    wait = Math.min(wait * 1.5, longestPauseMs);
  }
  return job;
}

async function answerOf(
  { id, type, format, records, result }: ExportJob,
  deps: Deps,
  now: Date,
): Promise<Export> {
  if (!result) return { status: "running", records };
  const { name, bytes, sha256 } = result;
  const day = now.toISOString().slice(0, 10);
  const ending = type === "full" ? `-${format}.zip` : `.${format}`;
  const link = { filename: `${type}-${day}${ending}`, lifetimeSeconds: linkSeconds, now };
  return {
    status: "ready",
    url: await deps.linkTo(`${id}/${name}`, link),
    expires_at: new Date(now.getTime() + linkSeconds * 1000).toISOString(),
    records,
    bytes,
    sha256,
  };
}

export const routes = [getExport];
