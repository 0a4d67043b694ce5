import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { Activity } from "#shared/domain/staff/activity.ts";
import type { AdminProduct } from "#shared/domain/catalog/product.ts";
import type { AdminMediaItem } from "#shared/domain/upload/media-item.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { MediaItems } from "#shared/storage/upload/media.ts";
import { remove } from "#shared/storage/writes.ts";
import { type Data, aProductBody, mark } from "#test/support/back-office/catalog.ts";
import { type Reply, clientOf } from "#test/support/http/client.ts";
import { signedIn } from "#test/support/people/people.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { judged, uploadedMediaItem } from "#test/support/shop/uploads.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world } = await useShop({ effects: ["media", "media-uses"] });

type Item = Data<AdminMediaItem> & Problem;
type List = { data: AdminMediaItem[]; meta: { next_cursor: string | null } };

const client = clientOf(baseUrl);
const headersOf = async (role: "owner" | "content_editor" | "analyst") => ({
  authorization: `Bearer ${(await signedIn(world, "staff", { role })).token}`,
});
const editor = await headersOf("content_editor");

const aMediaItem = (said?: object) => uploadedMediaItem(client, editor, said);

const read = (id: string) => client.get<Item>(`/admin/media/${id}`, editor);

describe("an item of the media library", () => {
  test("can be uploaded, found, described and deleted, and each change is logged", async () => {
    const own = mark();
    const item = await aMediaItem({ filename: `${own}.jpg`, tags: ["Oslo", "oslo", "chair"] });
    expect(item).toMatchObject({
      status: "ready",
      content_type: "image/jpeg",
      width: 40,
      height: 60,
      alt: null,
      tags: ["chair", "oslo"],
      used_in: [],
      version: 2,
    });
    const picture = await fetch(item.url as string);
    expect(picture.status).toBe(200);
    expect(picture.headers.get("cache-control")).toBe("public, max-age=86400, immutable");

    const stale = { ...editor, "if-match": '"v1"' };
    const path = `/admin/media/${item.id}`;
    expect((await client.patch(path, { alt: "A chair" }, stale)).status).toBe(412);
    const changed = await client.patch<Item>(path, { alt: "A chair", tags: [] }, editor);
    expect([changed.status, changed.headers.get("etag")]).toEqual([200, '"v3"']);
    expect(changed.body.data).toMatchObject({ alt: "A chair", tags: [] });

    for (const query of [`q=${own.toUpperCase()}`, "q=a%20chair&type=image/jpeg", "per_page=100"]) {
      const list = await client.get<List>(`/admin/media?${query}`, editor);
      expect(list.body.data.map(({ id }) => id)).toContain(item.id);
    }
    for (const query of ["tag=oslo", "type=image/png", "q=nothing-of-the-kind"]) {
      const list = await client.get<List>(`/admin/media?${query}`, editor);
      expect(list.body.data.map(({ id }) => id)).not.toContain(item.id);
    }

    expect((await client.delete(path, editor)).status).toBe(204);
    expect((await read(item.id)).status).toBe(404);
    expect((await client.delete(path, editor)).status).toBe(404);
    expect((await client.patch(path, { alt: null }, editor)).status).toBe(404);
    const { body } = await client.get<List>("/admin/media?per_page=100", editor);
    expect(body.data.map(({ id }) => id)).not.toContain(item.id);
    expect((await fetch(item.url as string)).status).toBe(200);

    const log = await client.get<{ data: Activity[] }>(
      `/admin/activity?target=media:${item.id}`,
      await headersOf("owner"),
    );
    expect(log.body.data.map(({ action }) => action)).toEqual([
      "media.delete",
      "media.update",
      "media.upload",
    ]);
  });

  test("can be uploaded with its description in the request that creates it", async () => {
    const form = new FormData();
    form.append("alt", "A red tile");
    const tile = { create: { width: 8, height: 8, channels: 3, background: "red" } } as const;
    const png = Uint8Array.from(await sharp(tile).png().toBuffer());
    form.append("file", new Blob([png], { type: "image/png" }), "tile.png");
    const answer = await fetch(`${baseUrl}${apiPrefix}/admin/media`, {
      method: "POST",
      headers: editor,
      body: form,
    });
    expect(answer.status).toBe(201);
    const { data } = (await answer.json()) as Item;
    expect(await judged(client, `/admin/media/${data.id}`, editor)).toMatchObject({
      status: "ready",
      filename: "tile.png",
      alt: "A red tile",
      width: 8,
    });
  });

  test("is shown by a product, its card and a cart with its colour and its WebP copies", async () => {
    const item = await aMediaItem();
    const owner = await headersOf("owner");
    const picture = { url: item.url, alt: "A chair", width: 40, height: 60 };
    const made = await client.post<Data<AdminProduct>>(
      "/admin/products",
      aProductBody({
        media: [{ ...picture, id: item.id, type: "image", role: "main" }],
        status: "published",
      }),
      owner,
    );
    expect([made.status, made.text]).toEqual([201, made.text]);
    const { slug, media, variants } = made.body.data;
    expect(media[0]).not.toHaveProperty("variants");

    const copies = item.variants.map(({ bytes: _bytes, ...variant }) => variant);
    expect(copies.length).toBeGreaterThan(0);
    const shown = {
      ...picture,
      color: expect.stringMatching(/^#[0-9a-f]{6}$/),
      variants: copies,
    };
    const detail = await client.get<Data<{ image: object; media: object[] }>>(`/products/${slug}`);
    expect(detail.body.data).toMatchObject({ image: shown, media: [shown] });
    const stock = await client.patch(
      `/admin/inventory/${variants[0]?.sku}`,
      { set: 3, reason: "Delivery" },
      owner,
    );
    expect([stock.status, stock.text]).toEqual([200, stock.text]);
    const cart = await client.post<Data<{ items: object[] }>>("/cart", {
      items: [{ sku: variants[0]?.sku, quantity: 1 }],
    });
    expect(cart.body.data.items).toMatchObject([{ image: shown }]);
  });

  test("cannot be deleted while it is in use; deleting it later also deletes its files", async () => {
    const item = await aMediaItem();
    const path = `/admin/media/${item.id}`;
    const owner = await headersOf("owner");
    const picture = { url: item.url, alt: "A chair", width: 40, height: 60 };
    const media = [{ ...picture, id: item.id, type: "image", role: "main" }];
    const made = await client.post<Data<{ id: string }>>(
      "/admin/products",
      aProductBody({ media }),
      owner,
    );
    expect([made.status, made.text]).toEqual([201, made.text]);
    const { id } = made.body.data;
    await waitFor("media-uses", async () => {
      expect((await read(item.id)).body.data.used_in).toEqual([{ kind: "product", id }]);
    });
    const refused = await client.delete(path, editor);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: "in_use",
        details: { used_in: [{ kind: "product", id }], used_by: [{ kind: "product", id }] },
      },
    });

    await client.patch(`/admin/products/${id}`, { media: [] }, owner);
    await waitFor("media-uses", async () => {
      expect((await read(item.id)).body.data.used_in).toEqual([]);
    });
    expect((await client.delete(path, editor)).status).toBe(204);
    // Removes the row, as DynamoDB does when the row's time to live ends.
    await world.table.write(remove(MediaItems, { id: item.id }));
    await waitFor("media", async () => {
      const urls = [item.url as string, ...item.variants.map(({ url }) => url)];
      const statuses = await Promise.all(urls.map(async (url) => (await fetch(url)).status));
      expect(new Set(statuses)).toEqual(new Set([404]));
    });
  });
});

test("a story accepts pictures that are ready in the media library and refuses deleted ones", async () => {
  const item = await aMediaItem();
  const story = (url: unknown) => ({
    slug: `room-${item.id.slice(-8).toLowerCase()}`,
    title: "A room",
    cover: { url, alt: "The room", width: 40, height: 60 },
  });
  const [variant] = item.variants;
  const made = await client.post<Data<{ id: string }>>(
    "/admin/interiors",
    story(variant?.url ?? item.url),
    editor,
  );
  expect([made.status, made.text]).toEqual([201, made.text]);
  const path = `/admin/interiors/${made.body.data.id}`;
  expect((await client.patch(path, story(`${String(item.url)}x`), editor)).status).toBe(422);
  expect((await client.delete(path, await headersOf("owner"))).status).toBe(204);

  await waitFor("media-uses", async () => {
    expect((await client.delete(`/admin/media/${item.id}`, editor)).status).toBe(204);
  });
  const refused = await client.post<Problem>("/admin/interiors", story(item.url), editor);
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ["cover.url"]]);
});

test("the media library lists the demo shop's pictures with the products that use them, and the service serves them", async () => {
  const items: AdminMediaItem[] = [];
  let cursor: string | null = "";
  do {
    const query = `tag=products&per_page=100${cursor ? `&cursor=${cursor}` : ""}`;
    const page: Reply<List> = await client.get<List>(`/admin/media?${query}`, editor);
    items.push(...page.body.data);
    cursor = page.body.meta.next_cursor;
  } while (cursor !== null);
  const { body } = await client.get<Data<{ id: string; media: { id: string; url: string }[] }>>(
    "/products/malpe-coffee-table",
  );
  expect(body.data.media.length).toBeGreaterThan(4);
  for (const { id, url } of body.data.media) {
    const item = items.find((each) => each.id === id);
    expect(item).toMatchObject({ status: "ready", url });
    expect(item?.used_in).toContainEqual({ kind: "product", id: body.data.id });
    const file = await fetch(url);
    expect([file.status, file.headers.get("content-type")]).toEqual([200, item?.content_type]);
    expect((await file.arrayBuffer()).byteLength).toBe(item?.bytes);
  }
});

test("the media library is listed newest first and paginated by cursor", async () => {
  const body = { filename: "a.jpg", content_type: "image/jpeg", size: 9 };
  for (let count = 0; count < 3; count++) await client.post("/admin/media", body, editor);
  const first = await client.get<List>("/admin/media?per_page=2", editor);
  const cursor = first.body.meta.next_cursor;
  const second = await client.get<List>(`/admin/media?per_page=2&cursor=${cursor}`, editor);
  const ids = [...first.body.data, ...second.body.data].map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(ids).toEqual(ids.toSorted().toReversed());
});
