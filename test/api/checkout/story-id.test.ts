import { expect, test } from "vitest";
import { newId } from "#shared/domain/base/ids.ts";
import { StoryTeasers } from "#shared/storage/content/content.ts";
import { put } from "#shared/storage/writes.ts";
import { clientOf } from "#test/support/http/client.ts";
import { tableOf } from "#test/support/shop/plant.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment } = await useShop();

test("a shipping quote returns 422 if an item is the id of an interior story", async () => {
  const now = new Date();
  const id = newId("story", now);
  await tableOf(environment).transact([
    put(StoryTeasers, {
      id,
      slug: id.toLowerCase().replace("_", "-"),
      title: "A quiet corner",
      room: null,
      style: null,
      cover: { url: "media://interiors/corner.webp", alt: "A corner", width: 1600, height: 900 },
      published_at: now.toISOString(),
    }),
  ]);
  const reply = await clientOf(baseUrl).send(
    "GET",
    `/api/v1/shipping/quote?postal_code=560001&items=${id}`,
  );
  expect([reply.status, reply.text]).toEqual([422, expect.stringContaining("items")]);
});
