import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { exportManifest } from "#shared/domain/export/export.ts";
import type { ExportJob } from "#shared/domain/export/export-job.ts";
import type { GrowingObjects } from "#shared/files/growing-object.ts";
import type { LeasedJob } from "./leased-job.ts";
import { fullPartBytes, partBuffer } from "./part-buffer.ts";
import { exportFileKey } from "./write-file.ts";

/**
 * Packs a job's files and their manifest into one zip. If this worker stops, the next one starts the zip again, because
 * the state of yazl, the zip library, cannot be stored.
 */
export async function archive(
  job: LeasedJob,
  objects: GrowingObjects,
): Promise<NonNullable<ExportJob["result"]>> {
  const { records } = job.current();
  const name = "full.zip";
  const key = exportFileKey(job.current(), name);
  const upload = await objects.begin(key, "application/zip");
  try {
    const etags: string[] = [];
    const buffer = partBuffer();
    const sum = createHash("sha256");
    let bytes = 0;
    const store = async () => {
      for (const part of buffer.take()) {
        etags.push(await objects.addPart(key, upload, etags.length + 1, part));
      }
      await job.renew(records);
    };
    // The cast is safe: a binary stream yields Buffers, which Node.js does not express in its types.
    for await (const chunk of zipped(job.current(), objects) as AsyncIterable<Buffer>) {
      buffer.add(chunk);
      sum.update(chunk);
      bytes += chunk.byteLength;
      if (buffer.bytes >= fullPartBytes) await store();
    }
    await store();
    await objects.complete(key, upload, etags);
    return { name, bytes, sha256: sum.digest("hex") };
  } catch (error) {
    await objects.abandon(key, upload);
    throw error;
  }
}

function zipped(job: ExportJob, objects: GrowingObjects): Readable {
  const zip = new ZipFile();
  // The cast is safe: yazl returns a PassThrough, although its types declare an older interface.
  const output = zip.outputStream as Readable;
  const mtime = new Date(job.started_at);
  zip.on("error", (error: Error) => output.destroy(error));
  for (const { name } of job.files) {
    zip.addReadStreamLazy(name, { mtime }, (give) => {
      objects.read(exportFileKey(job, name)).then(
        (stream) => give(null, stream),
        (cause: unknown) => output.destroy(new Error("A file is unreadable", { cause })),
      );
    });
  }
  const manifest = exportManifest(job.format, job.started_at, job.files);
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), "manifest.json", { mtime });
  zip.end();
  return output;
}
