import { expect, test } from "vitest";
import type { AdminMediaItem, MediaUse } from "#shared/domain/upload/media-item.ts";
import { type Data, aMaterialBody, mark } from "#test/support/back-office/catalog.ts";
import { clientOf } from "#test/support/http/client.ts";
import { signedIn } from "#test/support/people/people.ts";
import { uploadedMediaItem } from "#test/support/shop/uploads.ts";
import { useShop } from "#test/support/stack/shop.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";

const { baseUrl, world } = await useShop({ effects: ["media", "media-uses"] });

const client = clientOf(baseUrl);
const { token } = await signedIn(world, "staff", { role: "owner" });
const owner = { authorization: `Bearer ${token}` };

async function write(
  method: "post" | "put" | "patch",
  path: string,
  body?: object,
): Promise<{ id: string }> {
  const reply = await client[method]<Data<{ id: string }>>(path, body, owner);
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body.data;
}
const read = async <Record>(path: string) =>
  (await client.get<Data<Record>>(path, owner)).body.data;

const aMediaItem = () => uploadedMediaItem(client, owner);
const pictureOf = ({ url }: AdminMediaItem) => ({ url, alt: "A room", width: 60, height: 40 });
const heroWith = (image: object) => ({
  eyebrow: null,
  title: "Slow living",
  text: null,
  image,
  link: null,
});

/** Waits until the media library lists exactly these uses. */
const soonUsed = ({ id }: AdminMediaItem, ...uses: MediaUse[]): Promise<void> =>
  waitFor("media-uses", async () => {
    expect((await read<AdminMediaItem>(`/admin/media/${id}`)).used_in).toEqual(uses);
  });

const image = (picture: object) => ({ type: "image", data: { image: picture, caption: null } });

test.each([
  ["page", "/admin/pages", (picture: object) => ({ title: "Us", blocks: [image(picture)] })],
  ["story", "/admin/interiors", (picture: object) => ({ title: "A room", cover: picture })],
])(
  "a picture is in use while the draft or the published copy of a %s shows it",
  async (kind, path, showing) => {
    const [first, second] = [await aMediaItem(), await aMediaItem()];
    const sent = { slug: mark(), ...showing(pictureOf(first)) };
    const { id } = await write("post", path, sent);
    await soonUsed(first, { kind, id });
    await write("post", `${path}/${id}/publish`);
    await write("patch", `${path}/${id}`, showing(pictureOf(second)));
    await soonUsed(second, { kind, id });
    await soonUsed(first, { kind, id });
    await write("post", `${path}/${id}/publish`);
    await soonUsed(first);
  },
);

test("a picture is in use while the draft or the published copy of the homepage shows it", async () => {
  const path = "/admin/homepage";
  const { sections } = await read<{ sections: object[] }>(path);
  const item = await aMediaItem();
  const shown = { kind: "home", id: "home" };
  const hero = { type: "hero", data: heroWith(pictureOf(item)) };
  await write("put", path, { sections: [...sections, hero] });
  await soonUsed(item, shown);
  await write("post", `${path}/publish`);
  await write("put", path, { sections });
  await soonUsed(item, shown);
  await write("post", `${path}/publish`);
  await soonUsed(item);
});

test("a picture is in use while the landing page of the sofas shows it", async () => {
  const path = "/admin/sofa-landing";
  const { hero, ...landing } = await read<{ hero: object | null; version: number }>(path);
  const { version: _, ...content } = landing;
  const item = await aMediaItem();
  await write("put", path, { ...content, hero: heroWith(pictureOf(item)) });
  await soonUsed(item, { kind: "sofa_landing", id: "sofa_landing" });
  await write("put", path, { ...content, hero });
  await soonUsed(item);
});

test("a picture is in use while a category shows it", async () => {
  const item = await aMediaItem();
  const sent = { kind: "category", slug: mark(), name: "Benches", image: pictureOf(item) };
  const { id } = await write("post", "/admin/categories", sent);
  await soonUsed(item, { kind: "categories", id: "categories" });
  await write("patch", `/admin/categories/${id}`, { image: null });
  await soonUsed(item);
});

test("a picture is in use while it is the swatch of a material, published or not", async () => {
  const [item, other] = [await aMediaItem(), await aMediaItem()];
  const sent = aMaterialBody();
  const showing = ({ url }: AdminMediaItem) => ({ swatch: { ...sent.swatch, url } });
  const { id } = await write("post", "/admin/materials", { ...sent, ...showing(item) });
  await soonUsed(item, { kind: "material", id });
  await write("patch", `/admin/materials/${id}`, showing(other));
  await soonUsed(item);
});
