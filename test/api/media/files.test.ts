import {
  attachmentNamed,
  FileType,
  type MediaType,
  fileTypes,
} from "#shared/domain/upload/media-type.ts";
import { describe, expect, test } from "vitest";
import type { AdminMediaItem } from "#shared/domain/upload/media-item.ts";
import type { UploadForm } from "#shared/domain/upload/upload.ts";
import { type Data, aProductBody, aSofaBody } from "#test/support/back-office/catalog.ts";
import { clientOf } from "#test/support/http/client.ts";
import {
  aFileOf,
  aPdf,
  anMp4,
  type UploadReply,
  aPhotograph,
  judged,
  sendForm,
} from "#test/support/shop/uploads.ts";
import { signedIn } from "#test/support/people/people.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world } = await useShop({ effects: ["media", "media-uses"] });

type Item = Data<AdminMediaItem> & Problem;
interface Shown {
  id: string;
  slug: string;
  media: { id: string; type: string; url: string }[];
  assembly: { manual_url: string | null };
}

const client = clientOf(baseUrl);
const owner = {
  authorization: `Bearer ${(await signedIn(world, "staff", { role: "owner" })).token}`,
};

async function uploaded(file: Uint8Array, content_type: MediaType, filename = "a file") {
  const body = { filename, content_type, size: file.byteLength };
  const made: UploadReply = await client.post("/admin/media", body, owner);
  expect([made.status, made.text]).toEqual([201, made.text]);
  const { id, upload } = made.body.data;
  expect((await sendForm(upload as UploadForm, file)).status).toBe(204);
  await judged(client, `/admin/media/${id}`, owner);
  return (await client.get<Item>(`/admin/media/${id}`, owner)).body.data;
}

describe("a video, 3D model or PDF in the media library", () => {
  test.each(FileType.options)(
    "is stored unchanged, and served only with its own type %s",
    async (type) => {
      const file = aFileOf[type]();
      const item = await uploaded(file, type, 'Ma"nual für Stühle.x');
      expect(item).toMatchObject({ status: "ready", reason: null, width: null, variants: [] });
      expect([item.content_type, item.bytes]).toEqual([type, file.byteLength]);
      const answer = await fetch(item.url as string);
      expect(answer.headers.get("content-type")).toBe(type);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("content-security-policy")).toContain("sandbox");
      expect(answer.headers.get("content-disposition")).toBe(
        type.startsWith("video/")
          ? "inline"
          : attachmentNamed('Ma"nual für Stühle.x', fileTypes[type].extension),
      );
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(file);
    },
  );

  test("is stored completely, even if it is larger than one storage call can copy", async () => {
    const film = anMp4(undefined, 12 * 1024 * 1024);
    const { status, url } = await uploaded(film, "video/mp4");
    expect(status).toBe("ready");
    const kept = Buffer.from(await (await fetch(url as string)).arrayBuffer());
    expect(kept.equals(film)).toBe(true);
  });

  test.each<[string, MediaType, () => Buffer | Promise<Buffer>]>([
    ["a picture that is declared as a PDF", "application/pdf", () => aPhotograph()],
    [
      "an HTML page that is declared as a video",
      "video/mp4",
      () => Buffer.from("<html><script>alert(1)</script>"),
    ],
    ["a PDF that is declared as a 3D model", "model/gltf-binary", aPdf],
  ])("is rejected if it is %s", async (_name, type, file) => {
    const item = await uploaded(await file(), type);
    expect(item).toMatchObject({ status: "rejected", reason: "wrong_type", url: null });
    expect(item.reason_message).toContain("does not have the announced type");
  });

  test.each([
    ["image/jpeg", 10 * 1024 * 1024 + 1],
    ["application/pdf", 10 * 1024 * 1024 + 1],
    ["model/gltf-binary", 25 * 1024 * 1024 + 1],
    ["video/webm", 50 * 1024 * 1024 + 1],
  ])(
    "is refused before the upload if its type is %s and its size %i bytes",
    async (content_type, size) => {
      const announce = (bytes: number) =>
        client.post<Problem>("/admin/media", { filename: "a", content_type, size: bytes }, owner);
      const refused = await announce(size);
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ["size"]]);
      expect((await announce(size - 1)).status).toBe(201);
    },
  );

  test("cannot be uploaded by visitors", async () => {
    const body = { filename: "a.pdf", content_type: "application/pdf", size: 9 };
    expect((await clientOf(baseUrl).post("/media/fabric", body)).status).toBe(422);
  });
});

describe("a video, 3D model or manual that is attached to a record", () => {
  test.each([
    ["products", aProductBody],
    ["sofas", aSofaBody],
  ] as const)(
    "is shown in the detail response of /%s, and the media library lists the use and refuses to delete the file",
    async (kind, body) => {
      const film = await uploaded(aFileOf["video/mp4"](), "video/mp4");
      const model = await uploaded(aFileOf["model/gltf-binary"](), "model/gltf-binary");
      const manual = await uploaded(aPdf(), "application/pdf");
      const shown = { alt: "The chair turns", width: 800, height: 600, role: "gallery" };
      const media = [
        { ...shown, id: film.id, url: film.url, type: "video" },
        { ...shown, id: model.id, url: model.url, type: "model_3d" },
      ];
      const assembly = { required: true, minutes: 9, people: 1, manual_url: manual.url };
      const sent = body({ media, assembly, status: "published" });
      const made = await client.post<Data<Shown>>(`/admin/${kind}`, sent, owner);
      expect([made.status, made.text]).toEqual([201, made.text]);
      const { id, slug } = made.body.data;
      const published = (await client.get<Data<Shown>>(`/${kind}/${slug}`)).body.data;
      expect(published.media.map(({ type, url }) => [type, url])).toEqual([
        ["video", film.url],
        ["model_3d", model.url],
      ]);
      expect(published.assembly.manual_url).toBe(manual.url);
      const uses = [{ kind: kind.slice(0, -1), id }];
      for (const item of [film, model, manual]) {
        await waitFor("media-uses", async () => {
          const read = await client.get<Item>(`/admin/media/${item.id}`, owner);
          expect(read.body.data.used_in).toEqual(uses);
        });
        expect(await client.delete<Problem>(`/admin/media/${item.id}`, owner)).toMatchObject({
          status: 409,
          body: { code: "in_use" },
        });
      }
      const again = await client.put(
        `/admin/${kind}/${id}`,
        { ...sent, media: made.body.data.media },
        owner,
      );
      expect([again.status, again.text]).toEqual([200, again.text]);
    },
  );

  test("must be a ready item of the media library and of the expected type", async () => {
    const film = await uploaded(aFileOf["video/mp4"](), "video/mp4");
    const shown = { alt: "A", width: 8, height: 6, role: "gallery" };
    const attached = { ...shown, id: film.id, url: film.url, type: "video" };
    const unknown = "med_01JD0000000000000000000000";
    const refusalOf = async (members: object) => {
      const reply = await client.post<Problem>(
        "/admin/products",
        aProductBody({ ...members }),
        owner,
      );
      return [reply.status, Object.keys(reply.body.errors ?? {})];
    };
    const manual = (manual_url: unknown) => ({
      assembly: { required: false, minutes: null, people: null, manual_url },
    });
    expect(await refusalOf({ media: [{ ...attached, id: unknown }] })).toEqual([
      422,
      ["media.0.id"],
    ]);
    expect(await refusalOf({ media: [attached, { ...attached, type: "image" }] })).toEqual([
      422,
      ["media.1.type"],
    ]);
    expect(await refusalOf({ media: [{ ...attached, url: "media://a.mp4" }] })).toEqual([
      422,
      ["media.0.url"],
    ]);
    expect(await refusalOf(manual(film.url))).toEqual([422, ["assembly.manual_url"]]);
    expect(await refusalOf(manual("media://manuals/a.pdf"))).toEqual([
      422,
      ["assembly.manual_url"],
    ]);
    await client.delete(`/admin/media/${film.id}`, owner);
    expect(await refusalOf({ media: [attached] })).toEqual([422, ["media.0.id"]]);
  });
});
