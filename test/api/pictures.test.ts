// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGuardedStack } from "#test/support/stack/shop.ts";
import type { Stack } from "#infra/local/stack.ts";
import { StoredMediaType } from "#shared/domain/upload/media-type.ts";
import { clientOf } from "#test/support/http/client.ts";
import { visitPublic } from "#test/support/calls/walk.ts";

// A separate shop: other tests publish records whose pictures do not exist.
let stack: Stack;
beforeAll(async () => {
  stack = await startGuardedStack({ shop: "planted" });
});
afterAll(() => stack.stop());

test("every media URL in a response of the demo shop returns a picture, film, 3D model or manual", async () => {
  const visits = await visitPublic(clientOf(stack.baseUrl));
  const { MEDIA_BASE_URL } = stack.environment;
  const urls = new Set(
    visits.flatMap(({ reply }) =>
      reply.text.split(/["'\\\s]/).filter((word) => word.startsWith(`${MEDIA_BASE_URL}/`)),
    ),
  );
  expect(urls.size).toBeGreaterThan(50);
  const broken: string[] = [];
  for (const url of urls) {
    const answer = await fetch(url);
    const bytes = (await answer.arrayBuffer()).byteLength;
    const type = answer.headers.get("content-type") ?? "";
    if (answer.status !== 200 || !StoredMediaType.safeParse(type).success || bytes === 0) {
      broken.push(`${url}: ${answer.status} ${type} ${bytes} bytes`);
    }
  }
  expect(broken).toEqual([]);
});
