import { type IncomingHttpHeaders, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { openGrowingObjects } from "#shared/files/growing-object.ts";

/** A storage server that accepts every request and records it. */
async function takingStorage() {
  const asked: { line: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const line = `${request.method} ${request.url}`;
    asked.push({ line, headers: request.headers, body: await text(request) });
    if (request.method === "PUT") response.setHeader("ETag", '"part"');
    response.end("<Result><UploadId>upload</UploadId></Result>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { asked, stop, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("parts of a multipart upload have no checksum unless the upload was created with one, because S3 would refuse them", async () => {
  const { asked, stop, endpoint } = await takingStorage();
  const objects = openGrowingObjects({ bucket: "exports", endpoint });
  const upload = await objects.begin("orders.csv", "text/csv");
  const etag = await objects.addPart("orders.csv", upload, 1, Buffer.from("a chair"));
  await objects.complete("orders.csv", upload, [etag]);
  stop();

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
