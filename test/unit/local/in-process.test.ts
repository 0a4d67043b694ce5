import type { RequestListener } from "node:http";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { HttpRequest } from "@smithy/core/protocols";
import { afterEach, expect, test } from "vitest";
import { serveOnLoopback } from "#test/support/emulators/failing-servers.ts";
import { callInProcess, inProcess } from "#infra/local/emulators/in-process.ts";

const aRequest = (members: Partial<HttpRequest> = {}) =>
  new HttpRequest({
    method: "PUT",
    protocol: "http:",
    hostname: "127.0.0.1",
    port: 9,
    path: "/media/a%20b",
    ...members,
  });

const origin = "http://127.0.0.1:9";
let leave: () => void;
afterEach(() => leave());

/** The answer of a listener to a request at its origin, where nothing listens at a port. */
async function answered(listener: RequestListener, members?: Partial<HttpRequest>) {
  leave = callInProcess(origin, listener);
  return (await inProcess.handle(aRequest(members))).response;
}

/** Repeats what it received. */
const echo: RequestListener = async (request, response) => {
  const { method, url, headers } = request;
  const body = await text(request);
  response
    .writeHead(207, { "content-type": "application/json", "x-twice": ["1", "2"] })
    .end(JSON.stringify({ method, url, header: headers["x-amz-target"], body }));
};

test.each([
  ["text", () => "oak"],
  ["bytes", () => new TextEncoder().encode("oak")],
  ["a part of a larger buffer", () => Buffer.from("an oak tree").subarray(3, 6)],
  ["a stream", () => Readable.from(["o", "ak"])],
])("a listener receives method, path, query, headers and %s as the body", async (_kind, body) => {
  const response = await answered(echo, {
    body: body(),
    query: { tagging: "", keys: ["a", "b&"] },
    headers: { "x-amz-target": "Put" },
  });
  expect([response.statusCode, response.headers["x-twice"]]).toEqual([207, "1,2"]);
  expect(JSON.parse(await text(response.body as Readable))).toEqual({
    method: "PUT",
    url: "/media/a%20b?keys=a&keys=b%26&tagging=",
    header: "Put",
    body: "oak",
  });
});

test("an answer's bytes arrive unchanged", async () => {
  const bytes = Buffer.from([0, 255, 128, 10]);
  const response = await answered((_request, answer) => answer.end(bytes));
  expect(await buffer(response.body as Readable)).toEqual(bytes);
});

test("a connection that the listener closes is reported as reset, so that clients try again", async () => {
  await expect(answered((request) => request.destroy())).rejects.toMatchObject({
    code: "ECONNRESET",
  });
});

test("a request ends when its caller aborts it", async () => {
  const abort = new AbortController();
  leave = callInProcess(origin, () => undefined);
  const handled = inProcess.handle(aRequest(), { abortSignal: abort.signal });
  abort.abort();
  await expect(handled).rejects.toMatchObject({ name: "AbortError" });
  await expect(inProcess.handle(aRequest(), { abortSignal: abort.signal })).rejects.toMatchObject({
    name: "AbortError",
  });
});

test("a request to a server that is not in this process goes through a socket", async () => {
  leave = callInProcess(origin, echo);
  const server = await serveOnLoopback(echo);
  const port = Number(new URL(server.baseUrl).port);
  const { response } = await inProcess.handle(aRequest({ port, body: "oak" }));
  expect(JSON.parse(await text(response.body as Readable))).toMatchObject({ body: "oak" });
  await server.stop();
  await expect(inProcess.handle(aRequest({ port }))).rejects.toThrow();
});
