import type { Shop } from "#shared/application/shop.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { newId } from "#shared/domain/base/ids.ts";
import {
  type ExportJob,
  type ExportJobId,
  canBeJoined,
  isAbandonedJob,
  newExportJob,
} from "#shared/domain/export/export-job.ts";
import { permissionsFor } from "#shared/domain/export/export.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { lacking } from "#shared/domain/staff/permission.ts";
import { ExportJobs, startExport } from "#shared/storage/export/export-jobs.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";

/**
 * Starts an export, or joins the caller's running one, and waits up to 20 seconds for it.
 *
 * @returns the job as it is when the wait ends
 * @throws AppError `forbidden`, `unavailable` if the export failed
 */
export async function runExport(
  call: AuditedCall & { readonly permissions: readonly string[] },
  { type, format }: Pick<ExportJobId, "type" | "format">,
  shop: Shop<"table" | "exportsQueue" | "now" | "pause">,
): Promise<ExportJob> {
  const permission = lacking(call.permissions, permissionsFor(type));
  if (permission) throw new AppError("forbidden", { details: { permission } });
  const audit = auditContextOf(call);
  const id = { type, format, requested_by: audit.actor.id };
  const job = await finished(await startOrJoin(id, audit, shop), shop);
  if (job.status !== "failed") return job;
  throw new AppError("unavailable", {
    message: "The export failed. Please request it again in a minute.",
    headers: { "Retry-After": "60" },
  });
}

/** The caller's job for this export: the running one, or a new one. Enqueues the job if no worker holds it. */
async function startOrJoin(
  id: ExportJobId,
  audit: AuditContext,
  { table, exportsQueue: queue }: Shop<"table" | "exportsQueue">,
): Promise<ExportJob> {
  const read = () => table.get(ExportJobs, id);
  const { job, waits } = await retryOnConflict(await read(), read, async (before) => {
    if (before && canBeJoined(before, audit.now)) {
      return { job: before, waits: isAbandonedJob(before, audit.now) };
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
async function finished(
  started: ExportJob,
  { table, now, pause }: Shop<"table" | "now" | "pause">,
): Promise<ExportJob> {
  const end = now().getTime() + longestWaitMs;
  let job = started;
  for (let wait = firstPauseMs; job.status === "running" && now().getTime() + wait <= end;) {
    await pause(wait);
    job = (await table.get(ExportJobs, started)) ?? job;
    wait = Math.min(wait * 1.5, longestPauseMs);
  }
  return job;
}
