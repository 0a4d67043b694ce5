import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Document, NodeIO, VertexLayout } from "@gltf-transform/core";
import PDFDocument from "pdfkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hasSignature, signatureBytes } from "#shared/domain/upload/file-signature.ts";
import { FileType } from "#shared/domain/upload/media-type.ts";

/** What well-known tools make by their options: each file is taken as the type that it is, and as no other. */
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
])("a PDF %s is taken as a PDF only", async (_what, options) => {
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
])("a binary glTF %s is taken as one only", async (_what, model, io) => {
  expect(typesOf(Buffer.from(await io.writeBinary(model)))).toEqual(["model/gltf-binary"]);
});

test("a glTF of several files is no binary one", async () => {
  const { json } = await new NodeIO().writeJSON(aModel());
  expect(typesOf(Buffer.from(JSON.stringify(json)))).toEqual([]);
});

const hasFfmpeg = spawnSync("ffmpeg", ["-version"]).status === 0;
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
const films: [what: string, format: string, options: string[], type: FileType[]][] = [
  ["an MP4", "mp4", h264, ["video/mp4"]],
  ["an MP4 that starts at once", "mp4", [...h264, "-movflags", "+faststart"], ["video/mp4"]],
  [
    "an MP4 in fragments",
    "mp4",
    [...h264, "-movflags", "+frag_keyframe+empty_moov"],
    ["video/mp4"],
  ],
  [
    "an MP4 in fragments with offsets of their own",
    "mp4",
    [...h264, "-movflags", "+frag_keyframe+empty_moov+default_base_moof"],
    ["video/mp4"],
  ],
  ["an MP4 for DASH", "mp4", [...h264, "-movflags", "+dash"], ["video/mp4"]],
  ["an MP4 for CMAF", "mp4", [...h264, "-movflags", "+cmaf"], ["video/mp4"]],
  ["an MP4 of brand mp42", "mp4", [...h264, "-brand", "mp42"], ["video/mp4"]],
  ["an MP4 with AV1", "mp4", ["-c:v", "libaom-av1", "-cpu-used", "8"], ["video/mp4"]],
  ["an MP4 with VP9", "mp4", vp9, ["video/mp4"]],
  ["an MP4 for iPods", "ipod", h264, ["video/mp4"]],
  ["a QuickTime film", "mov", h264, []],
  ["a 3GPP film", "3gp", h264, ["video/mp4"]],
  ["a WebM", "webm", vp9, ["video/webm"]],
  ["a WebM with VP8", "webm", ["-c:v", "libvpx"], ["video/webm"]],
  ["a live WebM", "webm", [...vp9, "-live", "1"], ["video/webm"]],
  ["a WebM with its index first", "webm", [...vp9, "-cues_to_front", "1"], ["video/webm"]],
  ["a Matroska film", "matroska", h264, []],
  ["an AVI film", "avi", h264, []],
  ["a Flash film", "flv", h264, []],
  ["a transport stream", "mpegts", h264, []],
];

// The package of Debian is enough; a machine without it skips these.
test.skipIf(!hasFfmpeg).each(films)(
  "%s that ffmpeg writes is taken as what it is only",
  { tags: "slow" },
  (_what, format, options, types) => {
    expect(typesOf(encode(format, options))).toEqual(types);
  },
);
