import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { UploadForm } from "#shared/domain/upload/upload.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { FabricUploads } from "#shared/storage/upload/fabric-uploads.ts";
import { put } from "#shared/storage/writes.ts";
import { clientOf } from "#test/support/http/client.ts";
import {
  type UploadReply,
  aBomb,
  aPhotograph,
  anAnimatedPng,
  flat,
  judged,
  polyglot,
  sendForm,
  svg,
} from "#test/support/shop/uploads.ts";
import { inOneWindow } from "#test/support/stack/clock.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table } = await useShop({ effects: ["media"] });

/** Requests an upload form for a file, sends the file with it and waits until the file has been processed. */
async function uploaded(file: Uint8Array, content_type: string) {
  const client = clientOf(baseUrl);
  const body = { filename: "cloth", content_type, size: file.byteLength };
  const made: UploadReply = await client.post("/media/fabric", body);
  expect(made.status).toBe(201);
  const { id, upload } = made.body.data;
  expect((await sendForm(upload as UploadForm, file)).status).toBe(204);
  return judged(client, `/media/fabric/${id}`);
}

describe("a valid uploaded picture", () => {
  test.each(["jpeg", "png", "webp", "avif"] as const)(
    "as %s becomes upright pictures in several widths without location data",
    async (format) => {
      const photograph = await aPhotograph(format);
      expect((await sharp(photograph).metadata()).exif).toBeDefined();
      const upload = await uploaded(photograph, `image/${format}`);
      expect(upload).toMatchObject({
        status: "ready",
        reason: null,
        reason_message: null,
        width: 600,
        height: 900,
      });
      expect(upload.variants.map((variant) => variant.width)).toEqual([320]);
      for (const { url, ...said } of [
        { ...upload, url: upload.url as string },
        ...upload.variants,
      ]) {
        const answer = await fetch(url);
        expect(answer.headers.get("content-type")).toBe(said.content_type);
        const bytes = Buffer.from(await answer.arrayBuffer());
        expect(bytes.byteLength).toBe(said.bytes);
        const found = await sharp(bytes).metadata();
        expect([found.width, found.height]).toEqual([said.width, said.height]);
        expect([found.exif, found.xmp, found.iptc]).toEqual([undefined, undefined, undefined]);
        expect(bytes.includes("Telephone")).toBe(false);
      }
    },
  );

  test("has one upload form per Idempotency-Key", async () => {
    const client = clientOf(baseUrl);
    const body = { filename: "cloth", content_type: "image/png", size: 1_000 };
    const key = { "idempotency-key": crypto.randomUUID() };
    const announce = (): Promise<UploadReply> => client.post("/media/fabric", body, key);
    const replies = await Promise.all(Array.from({ length: 4 }, announce));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(replies.map((reply) => reply.body.data.id)).size).toBe(1);
    const replayed = replies.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
    expect(replayed).toHaveLength(3);
    const other = await client.post("/media/fabric", { ...body, size: 2_000 }, key);
    expect([other.status, (other.body as { code?: string }).code]).toEqual([
      422,
      "idempotency_key_reused",
    ]);
  });

  test("can be sent in the request that creates the upload", async () => {
    const client = clientOf(baseUrl);
    const form = new FormData();
    const file = await aPhotograph("jpeg", { width: 200, height: 100 });
    form.append("file", new Blob([Uint8Array.from(file)], { type: "image/jpeg" }), "cloth.jpg");
    const answer = await fetch(`${baseUrl}${apiPrefix}/media/fabric`, {
      method: "POST",
      headers: { "x-forwarded-for": client.ip },
      body: form,
    });
    expect(answer.status).toBe(201);
    const { data } = (await answer.json()) as UploadReply["body"];
    expect(data).toMatchObject({ filename: "cloth.jpg", bytes: file.byteLength, upload: null });
    expect(await judged(client, `/media/fabric/${data.id}`)).toMatchObject({
      status: "ready",
      variants: [{ width: 100 }],
    });
  });

  test("is stored without data that was appended after the picture", async () => {
    const script = "<script>alert(1)</script>";
    const file = Buffer.concat([await aPhotograph("jpeg"), Buffer.from(script)]);
    const { status, url } = await uploaded(file, "image/jpeg");
    expect(status).toBe("ready");
    expect(await (await fetch(url as string)).text()).not.toContain(script);
  });
});

describe("an invalid upload of a picture", () => {
  const hostile: [string, string, string, () => Buffer | Promise<Buffer>][] = [
    ["an SVG", "image/png", "not_a_picture", () => svg],
    ["a script that begins like a GIF", "image/jpeg", "not_a_picture", () => polyglot],
    ["a GIF", "image/webp", "not_a_picture", () => sharp(aTile).gif().toBuffer()],
    ["a PNG that is declared as a JPEG", "image/jpeg", "wrong_type", () => aPhotograph("png")],
    ["a picture of 100 megapixels", "image/png", "too_many_pixels", aBomb],
    ["an AVIF of 50 megapixels in 1.5 KB", "image/avif", "too_many_pixels", () => flat("avif")],
    [
      "a WebP of 25.005 megapixels",
      "image/webp",
      "too_many_pixels",
      () => flat("webp", [5_001, 5_000]),
    ],
    [
      "a picture with a side that is too long",
      "image/png",
      "too_long",
      () => flat("png", [4, 16_384]),
    ],
    ["an animated WebP", "image/webp", "animated", aFilm],
    ["an animated PNG", "image/png", "animated", anAnimatedPng],
    ["a truncated JPEG", "image/jpeg", "not_a_picture", async () => half(await aPhotograph())],
    ["text", "image/avif", "not_a_picture", () => Buffer.from("hello")],
  ];
  const aTile = { create: { width: 8, height: 8, channels: 3, background: "red" } } as const;
  const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.byteLength / 2));

  test.each(hostile)("is rejected with a reason if it is %s", async (_name, type, reason, file) => {
    const upload = await uploaded(await file(), type);
    expect(upload).toMatchObject({ status: "rejected", reason, url: null, variants: [] });
    expect(upload.reason_message).toMatch(/^The file .+\.$|^(The|A side of the) picture .+\.$/);
  });

  /** An animation of two frames. */
  async function aFilm(): Promise<Buffer> {
    const frames = await Promise.all(
      ["red", "blue"].map((background) =>
        sharp({ create: { ...aTile.create, background } })
          .png()
          .toBuffer(),
      ),
    );
    return sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
  }

  test.each([
    [{ content_type: "image/svg+xml" }, "content_type"],
    [{ size: 10 * 1024 * 1024 + 1 }, "size"],
    [{ size: 0 }, "size"],
    [{ filename: "" }, "filename"],
    [{ id: "upl_1" }, "id"],
  ])("is refused before the upload with %j", async (wrong, path) => {
    const body = { filename: "cloth.jpg", content_type: "image/jpeg", size: 10, ...wrong };
    const reply: UploadReply = await clientOf(baseUrl).post("/media/fabric", body);
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors ?? {})).toEqual([path]);
  });

  test("is refused if the request contains no file, two files, a file that is too large, or no form", async () => {
    const send = async (body: FormData | string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${baseUrl}${apiPrefix}/media/fabric`, {
        method: "POST",
        headers: { "x-forwarded-for": clientOf(baseUrl).ip, ...headers },
        body,
      });
      return answer.status;
    };
    const formOf = (...sizes: number[]) => {
      const form = new FormData();
      form.append("note", "x");
      for (const size of sizes) {
        form.append("file", new Blob([new Uint8Array(size)], { type: "image/jpeg" }), "a.jpg");
      }
      return form;
    };
    expect(await send(formOf())).toBe(422);
    expect(await send(formOf(10, 10))).toBe(422);
    expect(await send(formOf(10))).toBe(422);
    expect(await send(formOf(4 * 1024 * 1024 + 1))).toBe(413);
    const type = { "content-type": "multipart/form-data; boundary=x" };
    expect(await send("--x\r\nbroken", type)).toBe(400);
    expect(await send("", { "content-type": "multipart/form-data" })).toBe(400);
  });
});

describe("a presigned upload form", () => {
  async function aForm(size: number): Promise<UploadForm> {
    const body = { filename: "cloth.png", content_type: "image/png", size };
    const made: UploadReply = await clientOf(baseUrl).post("/media/fabric", body);
    return made.body.data.upload as UploadForm;
  }
  const file = new Uint8Array(100);

  test("accepts only the announced file with unaltered form fields", async () => {
    const form = await aForm(file.byteLength);
    const altered = (fields: Record<string, string>) =>
      sendForm({ ...form, fields: { ...form.fields, ...fields } }, file);
    const refused = await Promise.all([
      altered({ key: "quarantine/upl_01KE66PJA0M594E921BVM9D6BK" }),
      altered({ "Content-Type": "image/svg+xml" }),
      altered({ "X-Amz-Signature": "0".repeat(64) }),
      altered({ acl: "public-read" }),
      altered({ Policy: Buffer.from("{}").toString("base64") }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect((await sendForm(form, new Uint8Array(99))).status).toBe(400);
    expect((await sendForm(form, new Uint8Array(101))).status).toBe(400);
  });
});

test("an upload cannot be read before it was processed", async () => {
  const answer = await fetch(`${environment.MEDIA_BASE_URL}/quarantine/upl_1`);
  expect(answer.status).toBe(404);
});

test("an unknown upload returns 404", async () => {
  const reply = await clientOf(baseUrl).get("/media/fabric/upl_01KE66PJA0M594E921BVM9D6BK");
  expect(reply.status).toBe(404);
});

test("an upload returns 404 once it has expired, although DynamoDB deletes it later", async () => {
  const client = clientOf(baseUrl);
  const body = { filename: "cloth.jpg", content_type: "image/jpeg", size: 10 };
  const made: UploadReply = await client.post("/media/fabric", body);
  const { id } = made.body.data;
  const statusWith = async (expires_at: string | null) => {
    const upload = await table.get(FabricUploads, { id });
    await table.write(put(FabricUploads, { ...upload!, expires_at }));
    return (await client.get(`/media/fabric/${id}`)).status;
  };
  expect(await statusWith(new Date(Date.now() + 60_000).toISOString())).toBe(200);
  expect(await statusWith(new Date().toISOString())).toBe(404);
  expect(await statusWith(null)).toBe(200);
});

test("one IP address can upload ten pictures an hour", async () => {
  const body = { filename: "cloth.jpg", content_type: "image/jpeg", size: 10 };
  const statuses = await inOneWindow(3_600, async () => {
    const client = clientOf(baseUrl);
    const answers: number[] = [];
    for (let call = 0; call < 11; call++) {
      answers.push((await client.post("/media/fabric", body)).status);
    }
    return answers;
  });
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(201));
  expect(statuses[10]).toBe(429);
});
