// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGuardedStack } from "#test/support/stack/shop.ts";
import type { Stack } from "#infra/local/stack.ts";
import { StoredMediaType } from "#shared/domain/upload/media-type.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { PublicCard } from "#shared/domain/catalog/card.ts";
import { visitPublic } from "#test/support/calls/walk.ts";

// A separate shop: other tests publish records whose pictures do not exist.
let stack: Stack;
beforeAll(async () => {
  stack = await startGuardedStack({ shop: "planted" });
});
afterAll(() => stack.stop());

test.each(["/products?per_page=24", "/sofas?per_page=24", "/products?per_page=24&color=grey,blue"])(
  "the pictures of a list of 24 cards have at most 500 KB at 320 pixels: GET %s",
  async (path) => {
    const { body } = await clientOf(stack.baseUrl).get<{ data: PublicCard[] }>(path);
    const narrowest = body.data.map(({ image }) => {
      expect(image).toMatchObject({ color: expect.stringMatching(/^#[0-9a-f]{6}$/) });
      return image?.variants[0];
    });
    expect(narrowest.length).toBeGreaterThan(0);
    let bytes = 0;
    for (const picture of narrowest) {
      expect(picture).toMatchObject({ width: 320, height: 240, content_type: "image/webp" });
      const answer = await fetch(picture!.url);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
      bytes += (await answer.arrayBuffer()).byteLength;
    }
    expect(bytes).toBeLessThanOrEqual(500_000);
  },
);

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
