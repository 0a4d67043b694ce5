import { expect, test } from "vitest";
import { attachmentNamed } from "#shared/domain/upload/media-type.ts";

test.each([
  ["manual.pdf", 'filename="manual.pdf"'],
  ["Manual_v2.final.PDF", 'filename="Manual_v2.final.pdf"'],
  ["no-extension", 'filename="no-extension.pdf"'],
  ["...", 'filename="file.pdf"'],
  ["../../etc/passwd.pdf", 'filename="etc-passwd.pdf"'],
  [
    "असेंबली निर्देश.pdf",
    "filename=\"file.pdf\"; filename*=UTF-8''%E0%A4%85%E0%A4%B8%E0%A5%87%E0%A4%82%E0%A4%AC%E0%A4%B2%E0%A5%80%20%E0%A4%A8%E0%A4%BF%E0%A4%B0%E0%A5%8D%E0%A4%A6%E0%A5%87%E0%A4%B6.pdf",
  ],
  ["Stühle (neu).pdf", "filename=\"St-hle-neu.pdf\"; filename*=UTF-8''St%C3%BChle%20%28neu%29.pdf"],
  ['a"b\r\nc: d.pdf', "filename=\"a-b-c--d.pdf\"; filename*=UTF-8''a-b-c-%20d.pdf"],
  ["x\u202Efdp.exe.pdf", 'filename="x-fdp.exe.pdf"'],
  [
    "क्\u200dष.pdf",
    "filename=\"file.pdf\"; filename*=UTF-8''%E0%A4%95%E0%A5%8D%E2%80%8D%E0%A4%B7.pdf",
  ],
  ["\ud800.pdf", "filename=\"file.pdf\"; filename*=UTF-8''%EF%BF%BD.pdf"],
])("%j is downloaded as %s", (filename, expected) => {
  expect(attachmentNamed(filename, "pdf")).toBe(`attachment; ${expected}`);
});

test("a long name is cut between characters, at a length that file systems take", () => {
  const header = attachmentNamed(`${"नि".repeat(200)}.pdf`, "pdf");
  const name = decodeURIComponent(header.split("UTF-8''")[1] ?? "");
  expect(name).toMatch(/^(?:नि)+\.pdf$/);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(204);
});
