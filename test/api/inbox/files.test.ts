import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import { onChangeWhatsapp } from "#functions/on-change/queue-consumers.ts";
import { openers } from "#infra/generated/entries/on-change-whatsapp.ts";
import { openShop } from "#shared/application/shop.ts";
import type { Conversation } from "#shared/domain/inbox/conversation.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { newMediaItem } from "#shared/domain/upload/media-item.ts";
import type { AdminMessage } from "#shared/domain/inbox/message.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { openInbox } from "#shared/storage/inbox/inbox.ts";
import { MediaItems } from "#shared/storage/upload/media.ts";
import { put } from "#shared/storage/writes.ts";
import type { Reply } from "#test/support/http/client.ts";
import { aPassword, aMember } from "#test/support/people/members.ts";
import type { Problem } from "#test/support/http/answers.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { serveOnLoopback } from "#test/support/emulators/failing-servers.ts";
import { aMessage as aQueueMessage } from "#test/support/emulators/queues.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { type Upload, aPhotograph, judged, sendForm } from "#test/support/shop/uploads.ts";
import {
  type WhatsAppDesk,
  aMessage,
  aNumber,
  aPayload,
  openWhatsAppDesk,
} from "#test/support/back-office/whatsapp.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { tableOpeners } from "#test/support/stack/functions.ts";

type View = z.output<typeof AdminMessage>;

let desk: WhatsAppDesk;
let sales: StaffClient;
beforeAll(async () => {
  desk = await openWhatsAppDesk({ effects: ["inbox-files", "media", "whatsapp"] });
  sales = await desk.staff("sales");
});
afterAll(() => desk.stack.stop());

const pathOf = ({ id }: { id: string }) => `/admin/inbox/conversations/${id}/messages`;
const newest = async (of: Conversation): Promise<View> => {
  const [message] = (await sales.get<Data<View[]>>(pathOf(of))).body.data;
  if (!message) throw new Error("There is no message");
  return message;
};

/** Uploads a file to the WhatsApp emulator, as if a customer had sent it. */
async function fileAtWhatsApp(bytes: Uint8Array, type: string, url?: string): Promise<string> {
  const id = randomUUID();
  const query = url === undefined ? "" : `?url=${encodeURIComponent(url)}`;
  await fetch(`${desk.stack.environment.WHATSAPP_API_URL}/files/${id}${query}`, {
    method: "PUT",
    headers: { "content-type": type },
    body: Uint8Array.from(bytes),
  });
  return id;
}

/** The conversation of a number that has just sent a file. */
async function received(
  id: string,
  {
    number = aNumber(),
    type = "image",
    mime_type = "image/jpeg",
    filename,
  }: { number?: string; type?: string; mime_type?: string; filename?: string | undefined } = {},
): Promise<Conversation> {
  const message = aMessage(number, {
    type,
    [type]: { id, mime_type, filename, caption: "This one?" },
  });
  expect((await desk.deliver(aPayload({ messages: [message] }))).status).toBe(200);
  const conversation = await openInbox(desk.table).readNumber(`+${number}`);
  if (!conversation) throw new Error("The webhook stored nothing");
  return conversation;
}

/** The file of the newest message, once it has been processed. */
const fileOf = (of: Conversation, status: string) =>
  waitFor("inbox-files", async () => {
    const { media } = await newest(of);
    if (media?.status !== status) throw new Error(`The file is ${media?.status}`);
    return media;
  });

describe("a file that a customer sends by WhatsApp", () => {
  test("can be opened by staff through a link that is valid for 15 minutes, and contains no Exif metadata", async () => {
    const photograph = await aPhotograph("jpeg");
    expect((await sharp(photograph).metadata()).exif).toBeDefined();
    const conversation = await received(await fileAtWhatsApp(photograph, "image/jpeg"));
    const before = Date.now();
    const media = await fileOf(conversation, "ready");
    expect(media).toMatchObject({
      content_type: "image/jpeg",
      caption: "This one?",
      reason: null,
    });
    const end = Date.parse(media.expires_at ?? "") - 15 * 60_000;
    expect([end >= before, end <= Date.now()]).toEqual([true, true]);
    const url = new URL(media.url ?? "");
    expect(url.searchParams.get("X-Amz-Expires")).toBe("900");
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    const seen = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect([seen.width, seen.height, seen.exif]).toEqual([600, 900, undefined]);
  });

  test("is stored unchanged if it is a PDF", async () => {
    const pdf = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n");
    const id = await fileAtWhatsApp(pdf, "application/pdf");
    const sent = { type: "document", mime_type: "application/pdf" };
    const { url } = await fileOf(await received(id, sent), "ready");
    // S3 would return this header with the file. The storage emulator does not, so only the URL is checked.
    expect(new URL(url ?? "").searchParams.get("response-content-disposition")).toMatch(
      /^attachment; filename="msg_\w+\.pdf"$/,
    );
    const answer = await fetch(url ?? "");
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(pdf);
  });

  test.each([
    ["voice note", "audio", "audio/ogg; codecs=opus", null, "audio/ogg", "ogg"],
    ["spreadsheet", "document", "application/vnd.ms-excel", "sizes.XLS", undefined, "xls"],
    ["page", "document", "text/html", "me.html", undefined, "html"],
    ["file without a name", "document", "application/x-unknown", null, undefined, "bin"],
  ])(
    "is stored unchanged as a download if it is a %s",
    async (_what, type, mime_type, filename, told, extension) => {
      const bytes = Buffer.from("<script>alert(1)</script>");
      const id = await fileAtWhatsApp(bytes, mime_type);
      const { url, content_type } = await fileOf(
        await received(id, { type, mime_type, filename: filename ?? undefined }),
        "ready",
      );
      expect(content_type).toBe(told ?? mime_type);
      expect(new URL(url ?? "").searchParams.get("response-content-disposition")).toMatch(
        new RegExp(`^attachment; filename="msg_\\w+\\.${extension}"$`),
      );
      const answer = await fetch(url ?? "");
      expect(answer.headers.get("content-type")).toBe("application/octet-stream");
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
    },
  );

  test.each([
    ["is not a picture", Buffer.from("<script>"), "image/jpeg", "not_a_picture"],
    ["is not a PDF", Buffer.from("<script>"), "application/pdf", "wrong_type"],
    ["is too large", Buffer.alloc(16 * 1024 * 1024 + 1), "video/mp4", "too_large"],
  ])("is rejected with a reason if it %s", async (_what, bytes, type, reason) => {
    const conversation = await received(await fileAtWhatsApp(bytes, type));
    const media = await fileOf(conversation, "rejected");
    expect(media).toMatchObject({ reason, url: null, expires_at: null });
  });

  test("is rejected if its type differs from the type that WhatsApp announced", async () => {
    const conversation = await received(
      await fileAtWhatsApp(await aPhotograph("png"), "image/jpeg"),
    );
    expect(await fileOf(conversation, "rejected")).toMatchObject({ reason: "wrong_type" });
  });

  test("is rejected as unavailable if WhatsApp no longer has it or its id is invalid", async () => {
    for (const id of [randomUUID(), "../me", "1?fields=x"]) {
      expect(await fileOf(await received(id), "rejected")).toMatchObject({ reason: "unavailable" });
    }
  });

  test("is downloaded only from WhatsApp's hosts", async () => {
    let calls = 0;
    const stranger = await serveOnLoopback((_request, response) => {
      calls += 1;
      response.end();
    });
    const url = `${stranger.baseUrl}/picture.jpg`;
    const id = await fileAtWhatsApp(await aPhotograph("jpeg"), "image/jpeg", url);
    expect(await fileOf(await received(id), "rejected")).toMatchObject({ reason: "unavailable" });
    expect(calls).toBe(0);
    await stranger.stop();
  });

  test("is deleted with the customer's account, while messages remain", async () => {
    const { baseUrl } = desk.stack;
    const number = aNumber();
    const file = await fileAtWhatsApp(await aPhotograph("jpeg"), "image/jpeg");
    const conversation = await received(file, { number });
    const { url } = await fileOf(conversation, "ready");
    expect((await fetch(url ?? "")).status).toBe(200);

    const { id, client, headers } = await aMember(baseUrl, { phone: `+${number}` });
    await (await desk.staff("manager")).post(`/admin/customers/${id}/phone/confirm`, {});
    const erased = await client.send("DELETE", `${apiPrefix}/account`, {
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ password: aPassword }),
    });
    expect(erased.status).toBe(204);

    expect(await newest(conversation)).toMatchObject({
      text: "Picture: This one?",
      media: { status: "removed", url: null },
    });
    await waitFor("inbox-files", async () => expect((await fetch(url ?? "")).status).toBe(404));
  });
});

describe("a file of the media library that staff send by WhatsApp", () => {
  const send = (to: Conversation, body: object): Promise<Reply<Data<View> & Problem>> =>
    sales.post(pathOf(to), body);

  async function aLibraryItem(format: "jpeg" | "webp" = "jpeg"): Promise<string> {
    const owner = await desk.staff("owner");
    const file = await aPhotograph(format, { width: 60, height: 40 });
    const content_type = `image/${format}`;
    const body = { filename: "oslo.jpg", content_type, size: file.byteLength };
    const { id, upload } = (await owner.post<Data<Upload>>("/admin/media", body)).body.data;
    if (upload) await sendForm(upload, file);
    const { client } = await aMember(desk.stack.baseUrl);
    await judged(client, `/admin/media/${id}`, { authorization: `Bearer ${owner.token}` });
    return id;
  }

  test("is sent once with its caption, even if its queue message is delivered repeatedly", async () => {
    const [conversation, media_id] = [await desk.written(), await aLibraryItem()];
    const { status, body } = await send(conversation, { media_id, caption: "In grey" });
    expect([status, body.data]).toEqual([
      201,
      expect.objectContaining({ kind: "image", text: "Picture: In grey", state: "queued" }),
    ]);
    expect(body.data.media).toMatchObject({ id: media_id, status: "ready", expires_at: null });
    await waitFor("whatsapp", async () =>
      expect((await newest(conversation)).state).toBe("delivered"),
    );
    const record = aQueueMessage({ conversation_id: conversation.id, id: body.data.id });
    const deps = openShop(desk.stack.environment, { ...openers, table: tableOpeners.table });
    expect(await onChangeWhatsapp({ Records: [record, record] }, deps)).toEqual({
      batchItemFailures: [],
    });

    const link = body.data.media?.url;
    expect(await desk.sentTo(conversation.phone)).toEqual([
      expect.objectContaining({ type: "image", image: { link, caption: "In grey" } }),
    ]);
    const picture = await fetch(link ?? "");
    expect(picture.headers.get("content-type")).toBe("image/jpeg");
  });

  test("is refused outside WhatsApp's 24-hour window", async () => {
    const [conversation, media_id] = [await desk.written({ ago: 25 }), await aLibraryItem()];
    const { status, body } = await send(conversation, { media_id });
    expect([status, body.code]).toEqual([409, "session_window_closed"]);
  });

  test("is refused if it is unknown, not ready, or of a type that WhatsApp does not accept", async () => {
    const conversation = await desk.written();
    const now = new Date();
    const pending = newId("med", now);
    const announced = {
      filename: "oslo.jpg",
      content_type: "image/jpeg",
      size: 10,
      alt: null,
    } as const;
    const item = newMediaItem({ ...announced, tags: [] }, { id: pending, now });
    await desk.table.write(put(MediaItems, item));
    for (const media_id of [newId("med", now), pending, await aLibraryItem("webp")]) {
      const { status, body } = await send(conversation, { media_id });
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["media_id"]]);
    }
    expect(await desk.sentTo(conversation.phone)).toEqual([]);
  });
});
