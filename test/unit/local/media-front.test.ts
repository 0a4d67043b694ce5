import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mediaFront } from "#infra/local/emulators/media-front.ts";
import {
  buckets,
  type ObjectStorage,
  startObjectStorage,
} from "#infra/local/emulators/object-storage.ts";
import { clientDefaults } from "#shared/runtime/aws-client.ts";
import { type LoopbackServer, serveOnLoopback } from "#test/support/emulators/failing-servers.ts";

let storage: ObjectStorage;
let front: ReturnType<typeof mediaFront>;
let server: LoopbackServer;
let baseUrl: string;

beforeAll(async () => {
  storage = await startObjectStorage();
  const s3 = new S3Client({ ...clientDefaults(storage.endpoint), forcePathStyle: true });
  const put = (Bucket: string, Key: string, CacheControl?: string) =>
    s3.send(
      new PutObjectCommand({
        Bucket,
        Key,
        Body: "picture",
        ContentType: "image/webp",
        CacheControl,
      }),
    );
  await put(buckets.media, "sofas/oslo 1.webp");
  await put(buckets.media, "kept.webp", "public, max-age=31536000, immutable");
  await put(buckets.index, "secret");
  s3.destroy();

  front = mediaFront("/media/", `${storage.endpoint}/${buckets.media}`);
  server = await serveOnLoopback((request, response) =>
    front.answer(request, response, ["access-control-allow-origin", "*"]),
  );
  baseUrl = `${server.baseUrl}/media`;
});
afterAll(async () => {
  front.stop();
  await server.stop();
  await storage.stop();
});

describe("a media file at the local gateway", () => {
  test("has its content type, a Cache-Control header and CORS headers", async () => {
    const response = await fetch(`${baseUrl}/sofas/oslo%201.webp?v=1`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/webp");
    expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await response.text()).toBe("picture");
  });

  test("has headers that block scripts and content type sniffing", async () => {
    const response = await fetch(`${baseUrl}/kept.webp`);
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none';.*; sandbox$/,
    );
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    await response.bytes();
  });

  test("is served with the Cache-Control header that was stored with the object", async () => {
    const response = await fetch(`${baseUrl}/kept.webp`);
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    await response.bytes();
  });

  test("supports HEAD, range requests and conditional requests", async () => {
    const head = await fetch(`${baseUrl}/kept.webp`, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(head.headers.get("content-length")).toBe("7");
    const part = await fetch(`${baseUrl}/kept.webp`, { headers: { range: "bytes=0-2" } });
    expect(part.status).toBe(206);
    expect(await part.text()).toBe("pic");
    const etag = head.headers.get("etag") ?? "";
    const again = await fetch(`${baseUrl}/kept.webp`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  test.each(["/none.webp", "/", "/..%2Fview/secret", "/%zz"])(
    "returns 404 for %s",
    async (path) => {
      const response = await fetch(baseUrl + path);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ message: "Not Found" });
    },
  );

  test("cannot be written", async () => {
    const response = await fetch(`${baseUrl}/kept.webp`, { method: "DELETE" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD");
  });
});
