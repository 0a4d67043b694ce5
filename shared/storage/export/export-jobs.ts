import { ExportJob, type ExportJobId, exportExpiresAt } from "../../domain/export/export-job.ts";
import { every, is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type Write, put } from "../writes.ts";

/** The last run of each export that a staff user requested. */
export const ExportJobs = entity({
  name: "export_job",
  schema: ExportJob,
  key: ({ requested_by, type, format }: ExportJobId) => ({
    pk: `EXPORTS#${requested_by}`,
    sk: `${type}#${format}`,
  }),
  ttl: (job) => Math.ceil(exportExpiresAt(job) / 1000),
});

/** Starts a new run. The write is refused if another run was started since `before` was read. */
export const startExport = (job: ExportJob, before: ExportJob | undefined): Write =>
  put(ExportJobs, job, before ? is("id", before.id) : isNew);

/** Stores a run after a step. The write is refused if another worker has stored the run meanwhile. */
export const stepExport = (before: ExportJob, after: ExportJob): Write =>
  put(ExportJobs, after, every(is("id", before.id), is("version", before.version)));
