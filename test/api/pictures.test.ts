import { expect, inject, test } from "vitest";
import { StoredMediaType } from "#shared/domain/upload/media-type.ts";
import { clientOf } from "#test/support/http/client.ts";
import { visitPublic } from "#test/support/calls/walk.ts";

const { MEDIA_BASE_URL } = inject("environment");

test("every media URL in a response returns a picture, film, 3D model or manual", async () => {
  const visits = await visitPublic(clientOf(inject("baseUrl")));
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
