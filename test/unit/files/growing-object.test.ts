import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { openGrowingObjects } from "#shared/files/growing-object.ts";
import { serveOnLoopback } from "#test/support/emulators/failing-servers.ts";

/** A storage server that accepts every request and records it. */
async function takingStorage() {
  const asked: { line: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const { baseUrl: endpoint, stop } = await serveOnLoopback(async (request, response) => {
    const line = `${request.method} ${request.url}`;
    asked.push({ line, headers: request.headers, body: await text(request) });
    if (request.method === "PUT") response.setHeader("ETag", '"part"');
    response.end("<Result><UploadId>upload</UploadId></Result>");
  });
  return { asked, endpoint, stop };
}

test("parts of a multipart upload have no checksum unless the upload was created with one, because S3 would refuse them", async () => {
  const { asked, stop, endpoint } = await takingStorage();
  const objects = openGrowingObjects({ bucket: "exports", endpoint });
  const upload = await objects.begin("orders.csv", "text/csv");
  const etag = await objects.addPart("orders.csv", upload, 1, Buffer.from("a chair"));
  await objects.complete("orders.csv", upload, [etag]);
  await stop();

  expect(asked.map(({ line }) => line.split("?")[0])).toEqual([
    "POST /exports/orders.csv",
    "PUT /exports/orders.csv",
    "POST /exports/orders.csv",
  ]);
  const checksums = asked.flatMap(({ headers, body }) => [
    ...Object.keys(headers).filter((name) => name.includes("checksum")),
    ...(body.match(/<Checksum\w+>/g) ?? []),
  ]);
  expect(checksums).toEqual([]);
});
