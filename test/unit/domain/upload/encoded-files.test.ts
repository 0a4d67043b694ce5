import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Document, NodeIO, VertexLayout } from "@gltf-transform/core";
import PDFDocument from "pdfkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hasSignature, signatureBytes, FileType } from "#shared/domain/upload/media-type.ts";

/** The types as which the start of a file is recognized. */
const typesOf = (bytes: Buffer): FileType[] =>
  FileType.options.filter((type) =>
    hasSignature(type, bytes.subarray(0, signatureBytes), bytes.byteLength),
  );

test.each<[string, PDFKit.PDFDocumentOptions]>([
  ["of version 1.3", { pdfVersion: "1.3" }],
  ["of version 1.7 with extensions", { pdfVersion: "1.7ext3" }],
  ["for archives", { subset: "PDF/A-3b", pdfVersion: "1.7" }],
  ["with a structure for screen readers", { pdfVersion: "1.7", tagged: true }],
  ["without compression", { compress: false }],
  ["that may not be printed", { ownerPassword: "owner", permissions: {} }],
  ["that opens by a password", { userPassword: "user" }],
  ["without pages", { autoFirstPage: false }],
])("a PDF %s is recognized as a PDF, and as no other type", async (_what, options) => {
  const pdf = new PDFDocument(options);
  pdf.end();
  expect(typesOf(await buffer(pdf))).toEqual(["application/pdf"]);
});

/** A model with one triangle, whose name has letters of several bytes. */
function aModel(): Document {
  const model = new Document();
  const position = model
    .createAccessor()
    .setType("VEC3")
    .setArray(new Float32Array(9))
    .setBuffer(model.createBuffer());
  const triangle = model.createPrimitive().setAttribute("POSITION", position);
  const node = model.createNode("कुर्सी").setMesh(model.createMesh().addPrimitive(triangle));
  model.createScene().addChild(node);
  return model;
}

test.each<[string, Document, NodeIO]>([
  ["with a mesh", aModel(), new NodeIO()],
  ["with separate attributes", aModel(), new NodeIO().setVertexLayout(VertexLayout.SEPARATE)],
  ["without a buffer", new Document(), new NodeIO()],
])("a binary glTF %s is recognized as one, and as no other type", async (_what, model, io) => {
  expect(typesOf(Buffer.from(await io.writeBinary(model)))).toEqual(["model/gltf-binary"]);
});

test("a glTF of several files is not recognized as a binary one", async () => {
  const { json } = await new NodeIO().writeJSON(aModel());
  expect(typesOf(Buffer.from(JSON.stringify(json)))).toEqual([]);
});

const hasFfmpeg = (process.env["PATH"] ?? "")
  .split(delimiter)
  .some((programs) => existsSync(join(programs, "ffmpeg")));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "encoded-files-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Encodes half a second of a test picture. */
function encode(format: string, options: readonly string[]): Buffer {
  const file = join(folder, "film");
  const picture = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=0.5"];
  const run = spawnSync("ffmpeg", ["-y", ...picture, ...options, "-f", format, file]);
  expect(run.status, run.stderr.toString()).toBe(0);
  return readFileSync(file);
}

const h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p"];
const vp9 = ["-c:v", "libvpx-vp9"];
const films: [what: string, types: FileType[], format: string, options: string[]][] = [
  ["an MP4", ["video/mp4"], "mp4", h264],
  ["an MP4 that starts at once", ["video/mp4"], "mp4", [...h264, "-movflags", "+faststart"]],
  [
    "an MP4 in fragments",
    ["video/mp4"],
    "mp4",
    [...h264, "-movflags", "+frag_keyframe+empty_moov"],
  ],
  [
    "an MP4 in fragments with offsets of their own",
    ["video/mp4"],
    "mp4",
    [...h264, "-movflags", "+frag_keyframe+empty_moov+default_base_moof"],
  ],
  ["an MP4 for DASH", ["video/mp4"], "mp4", [...h264, "-movflags", "+dash"]],
  ["an MP4 for CMAF", ["video/mp4"], "mp4", [...h264, "-movflags", "+cmaf"]],
  ["an MP4 of brand mp42", ["video/mp4"], "mp4", [...h264, "-brand", "mp42"]],
  ["an MP4 with AV1", ["video/mp4"], "mp4", ["-c:v", "libaom-av1", "-cpu-used", "8"]],
  ["an MP4 with VP9", ["video/mp4"], "mp4", vp9],
  ["an MP4 for iPods", ["video/mp4"], "ipod", h264],
  ["a QuickTime film", [], "mov", h264],
  ["a 3GPP film", ["video/mp4"], "3gp", h264],
  ["a WebM", ["video/webm"], "webm", vp9],
  ["a WebM with VP8", ["video/webm"], "webm", ["-c:v", "libvpx"]],
  ["a live WebM", ["video/webm"], "webm", [...vp9, "-live", "1"]],
  ["a WebM with its index first", ["video/webm"], "webm", [...vp9, "-cues_to_front", "1"]],
  ["a Matroska film", [], "matroska", h264],
  ["an AVI film", [], "avi", h264],
  ["a Flash film", [], "flv", h264],
  ["a transport stream", [], "mpegts", h264],
];

// The package of Debian is enough; a machine without it skips these.
test.skipIf(!hasFfmpeg).each(films)(
  "%s that ffmpeg writes is recognized as %j, and as no other type",
  { tags: "slow" },
  (_what, types, format, options) => {
    expect(typesOf(encode(format, options))).toEqual(types);
  },
);
