import { createHash } from "node:crypto";
import type { ExportJob, UnfinishedFile } from "#shared/domain/export/export-job.ts";
import type { ExportedFile, ExportedPart } from "#shared/domain/export/export.ts";
import { type GrowingObjects, LostUpload } from "#shared/files/growing-object.ts";
import { type FileText, fileText } from "./file-text.ts";
import type { LeasedJob } from "./leased-job.ts";
import { fullPartBytes, partBuffer } from "./part-buffer.ts";
import type { ReadPortion } from "./portions.ts";

/** Storage key of a job's file. */
export const exportFileKey = ({ id }: Pick<ExportJob, "id">, name: string) => `${id}/${name}`;

interface Writing {
  readonly job: LeasedJob;
  readonly objects: GrowingObjects;
  readonly read: ReadPortion;
  /** Whether the time limit of this worker has passed. */
  isLate(): boolean;
}

/**
 * Writes the file of an export part, or continues where another worker stopped. Keeps at most one part of the object in
 * memory, and records each stored part in the job.
 *
 * @returns false if the time limit passed before the file was complete; another worker then continues
 */
export async function writeFile(part: ExportedPart, writing: Writing): Promise<boolean> {
  const { job, objects } = writing;
  const { format, started_at } = job.current();
  const name = `${part}.${format}`;
  const key = exportFileKey(job.current(), name);
  const text = fileText(part, format, started_at);
  let file = job.current().unfinished;
  if (!file) {
    const upload_id = await objects.begin(key, text.contentType);
    file = { upload_id, etags: [], records: 0, position: "" };
    await job.advance({ unfinished: file });
  }
  if (file.position !== null) {
    file = await writeRows(key, file, text, writing);
    if (file.position !== null) return false;
  }
  try {
    await objects.complete(key, file.upload_id, file.etags);
  } catch (error) {
    if (!(error instanceof LostUpload)) throw error;
    // The previous worker may have completed the object, but stopped before it recorded this in the job. So the file is
    // written again.
    await job.advance({ unfinished: null });
    return writeFile(part, writing);
  }
  const whole: ExportedFile = {
    part,
    name,
    records: file.records,
    ...(await checked(key, writing)),
  };
  await job.advance({ unfinished: null, files: [...job.current().files, whole] });
  return true;
}

/**
 * @returns the file with its progress. `position` is null after the last row; otherwise the time ran out, and the
 *   next worker continues there
 */
async function writeRows(
  key: string,
  from: UnfinishedFile,
  text: FileText,
  { job, objects, read, isLate }: Writing,
): Promise<UnfinishedFile> {
  const before = job.current().files.reduce((sum, { records }) => sum + records, 0);
  const buffer = partBuffer();
  let file = from;
  const { upload_id, etags: stored } = from;
  const etags = [...stored];
  let { position, records } = from;
  if (etags.length === 0) buffer.add(text.head);
  while (position !== null) {
    const { rows, next } = await read(position === "" ? null : position);
    for (const row of rows) buffer.add(text.row(row, records++ === 0));
    position = next;
    if (position === null) buffer.add(text.foot);
    if (position !== null && buffer.bytes < fullPartBytes) {
      await job.renew(before + records);
      continue;
    }
    for (const bytes of buffer.take()) {
      etags.push(await objects.addPart(key, upload_id, etags.length + 1, bytes));
    }
    file = { upload_id, etags: [...etags], position, records };
    await job.advance({ unfinished: file, records: before + records });
    if (isLate()) break;
  }
  return file;
}

/** Size and checksum of the stored object, computed from what a download returns. */
async function checked(key: string, { job, objects }: Writing) {
  const sum = createHash("sha256");
  let bytes = 0;
  // The cast is safe: a binary stream yields Buffers, which Node.js does not express in its types.
  for await (const chunk of (await objects.read(key)) as AsyncIterable<Buffer>) {
    sum.update(chunk);
    bytes += chunk.byteLength;
    await job.renew(job.current().records);
  }
  return { bytes, sha256: sum.digest("hex") };
}
