import type { IncomingMessage } from "node:http";
import { startFauxqs } from "fauxqs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openObjectReader } from "#shared/files/object-reader.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { serveOnLoopback } from "#test/support/emulators/failing-servers.ts";

const bucket = "view";

describe("the S3 object reader", () => {
  let emulator: Awaited<ReturnType<typeof startFauxqs>>;
  beforeAll(async () => {
    emulator = await startFauxqs({ port: 0, logger: false, init: { buckets: [bucket] } });
  });
  afterAll(() => emulator.stop());

  test.each(["base/01J.bin", "a key/with (brackets)'s & ümlauts!*~"])(
    "returns the object with key %j byte for byte",
    async (key) => {
      const bytes = Buffer.from([0, 1, 127, 128, 255]);
      const store = openObjectStore({ bucket, endpoint: emulator.address });
      await store.put(key, bytes, "application/octet-stream");
      const read = openObjectReader({ bucket, endpoint: emulator.address });
      expect(Buffer.from(await read(key))).toEqual(bytes);
    },
  );

  test("returns undefined for a missing object, without a retry", async () => {
    const read = openObjectReader({ bucket, endpoint: emulator.address });
    const error: unknown = await read("nothing").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(Unavailable);
  });
});

describe("the S3 object reader, if a request fails,", () => {
  /** Reads an object from a server that responds with these statuses in turn, then with 200. */
  async function asked(statuses: number[]) {
    const seen: IncomingMessage[] = [];
    const server = await serveOnLoopback((request, response) => {
      seen.push(request);
      const status = statuses.shift() ?? 200;
      if (status === 0) request.socket.destroy();
      else response.writeHead(status).end("a chair");
    });
    const endpoint = server.baseUrl;
    const result = await openObjectReader({ bucket, endpoint })("key").then(
      (bytes) => Buffer.from(bytes).toString(),
      (error: unknown) => error,
    );
    await server.stop();
    return { result, seen };
  }

  test("retries twice", async () => {
    expect((await asked([503, 0])).result).toBe("a chair");
  });

  test("throws after the third failure", async () => {
    const { result, seen } = await asked([500, 0, 503]);
    expect(result).toBeInstanceOf(Unavailable);
    expect(seen).toHaveLength(3);
  });

  test("treats 403 as a missing object, because S3 returns 403 for it to callers without the permission to list", async () => {
    const { result, seen } = await asked([403]);
    expect(result).toBeInstanceOf(Error);
    expect(result).not.toBeInstanceOf(Unavailable);
    expect(seen).toHaveLength(1);
  });

  test("signs every attempt", async () => {
    const { seen } = await asked([503]);
    for (const { url, headers } of seen) {
      expect(url).toBe("/view/key");
      expect(headers.authorization).toMatch(
        /^AWS4-HMAC-SHA256 Credential=local\/\d{8}\/local\/s3\//,
      );
    }
  });
});
