import { hash } from "node:crypto";
import { crc32, inflateRawSync } from "node:zlib";
import { csvLines, armed } from "#shared/domain/base/csv.ts";
import type { ExportFormat, ExportType } from "#shared/domain/export/export.ts";
import { waitFor } from "../stack/wait-until.ts";
import type { StaffClient } from "../people/people.ts";

/** The response of the export route, whether the file is ready or still being written. */
export interface ExportAnswer {
  status: "ready" | "running";
  url: string;
  expires_at: string;
  records: number;
  bytes: number;
  sha256: string;
}

export interface Exported extends ExportAnswer {
  readonly file: Buffer;
}

/** Requests an export until it is ready, and downloads it. Throws if the checksum does not match. */
export async function exported(
  staff: StaffClient,
  type: ExportType,
  format: ExportFormat = "json",
): Promise<Exported> {
  const { status, body, text } = await waitFor("exports", async () => {
    const reply = await staff.get<{ data: ExportAnswer }>(
      `/admin/exports/${type}?format=${format}`,
    );
    if (reply.status === 202) throw new Error(`The export of ${type} is still being written`);
    return reply;
  });
  if (status !== 200) throw new Error(`${type}: ${status} ${text}`);
  return { ...body.data, file: await downloaded(body.data) };
}

export async function downloaded({ url, bytes, sha256 }: ExportAnswer): Promise<Buffer> {
  const file = Buffer.from(await (await fetch(url)).arrayBuffer());
  if (file.byteLength !== bytes || hash("sha256", file) !== sha256) {
    throw new Error(`The file at ${url} does not match its announced size or checksum`);
  }
  return file;
}

export interface JsonExport<Data = Record<string, unknown>> {
  type: string;
  version: number;
  exported_at: string;
  records: { record: string; data: Data }[];
}

export const jsonOf = <Data = Record<string, unknown>>(file: Buffer): JsonExport<Data> =>
  JSON.parse(file.toString("utf8")) as JsonExport<Data>;

/** The rows of a CSV file: each maps column names to cells. */
export function csvOf(file: Buffer): Record<string, string>[] {
  const [head, ...lines] = csvLines(file.toString("utf8"));
  return lines.map(({ cells }) =>
    Object.fromEntries(
      (head?.cells ?? []).map((name, position) => [name, armed(cells[position] ?? "")]),
    ),
  );
}

/** The files of a zip, read through its directory. Throws if a checksum does not match. */
export function filesOf(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  const files = new Map<string, Buffer>();
  let entry = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [packed, nameLength] = [zip.readUInt32LE(entry + 20), zip.readUInt16LE(entry + 28)];
    const name = zip.toString("utf8", entry + 46, entry + 46 + nameLength);
    const local = zip.readUInt32LE(entry + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(start, start + packed);
    const file = zip.readUInt16LE(entry + 10) === 0 ? bytes : inflateRawSync(bytes);
    if (crc32(file) !== zip.readUInt32LE(entry + 16)) throw new Error(`${name} is damaged`);
    files.set(name, Buffer.from(file));
    entry += 46 + nameLength + zip.readUInt16LE(entry + 30) + zip.readUInt16LE(entry + 32);
  }
  return files;
}
