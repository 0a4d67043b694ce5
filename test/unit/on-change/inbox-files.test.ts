import { afterAll, beforeAll, expect, test } from "vitest";
import { onChangeInboxFiles } from "#functions/on-change/files.ts";
import { messageTo } from "#functions/on-change/stream/effects.ts";
import { localWhatsApp } from "#infra/local/whatsapp/whatsapp-keys.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { receivedMessage } from "#shared/domain/inbox/message.ts";
import { receivedMedia } from "#shared/domain/inbox/message-media.ts";
import type { FetchFile } from "#shared/messaging/whatsapp-files.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { Messages, addMessage } from "#shared/storage/inbox/inbox.ts";
import { removeReceivedFiles } from "#shared/storage/inbox/message-files.ts";
import { aShop, silentLog } from "#test/support/shop/parts.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aMessage } from "#test/support/emulators/queues.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
});
afterAll(() => fixture.stop());

const pdf = Buffer.from("%PDF-1.7\n");

/** A message with a file to download, and a consumer that stores files in memory. */
async function aFile(fetchFile: FetchFile) {
  const media = receivedMedia({
    id: "2048",
    content_type: "application/pdf",
    filename: null,
    caption: null,
  });
  const message = receivedMessage(
    {
      kind: "document",
      text: "Document",
      media,
      reply_to: null,
      at: noon.toISOString(),
      whatsapp_id: newId("msg", noon),
    },
    { id: newId("msg", noon), conversation_id: newId("conv", noon) },
  );
  await fixture.table.transact(addMessage(message));
  const files = new Map<string, Uint8Array>();
  const deps = aShop<Parameters<typeof onChangeInboxFiles>[1]>({
    table: fixture.table,
    inboxFiles: {
      put: async (key, bytes) => void files.set(key, bytes),
      remove: async (key) => void files.delete(key),
    },
    fetchWhatsAppFile: fetchFile,
    whatsAppAccount: async () => ({ ...localWhatsApp, api_version: "v23.0" }),
    log: silentLog,
  });
  const records = [aMessage({ conversation_id: message.conversation_id, id: message.id })];
  const stored = async () => (await fixture.table.get(Messages, message))?.media?.status;
  return { message, files, deps, records, stored };
}

const fetched = async () =>
  ({ kind: "fetched", bytes: pdf, content_type: "application/pdf" }) as const;

test("a file whose download ends while the customer is erased is deleted", async () => {
  const { files, deps, records, stored, message } = await aFile(async () => {
    await removeReceivedFiles(fixture.table, message.conversation_id);
    return fetched();
  });
  expect(await onChangeInboxFiles({ Records: records }, deps)).toEqual({ batchItemFailures: [] });
  expect([await stored(), files.size]).toEqual(["removed", 0]);
});

test("a file stays pending while WhatsApp is unavailable or not configured, and is then downloaded once", async () => {
  let calls = 0;
  const { files, deps, records, stored } = await aFile(async () => {
    calls += 1;
    if (calls === 1) throw new Unavailable("away");
    return fetched();
  });
  const waits = { batchItemFailures: [{ itemIdentifier: records[0]?.messageId }] };
  const off = { ...deps, whatsAppAccount: async () => undefined };
  expect(await onChangeInboxFiles({ Records: records }, off)).toEqual(waits);
  expect(await onChangeInboxFiles({ Records: records }, deps)).toEqual(waits);
  expect(await stored()).toBe("pending");
  for (let delivery = 1; delivery <= 2; delivery++) {
    expect(await onChangeInboxFiles({ Records: records }, deps)).toEqual({ batchItemFailures: [] });
  }
  expect([await stored(), files.size, calls]).toEqual(["ready", 1, 2]);
});

test("a message's file is enqueued when the message is new, is deleted, or has its file removed", () => {
  const file = { id: "2048", content_type: "application/pdf", filename: null, caption: null };
  const message = (status?: string) => ({
    entity: "message",
    direction: "inbound",
    conversation_id: "c",
    id: "m",
    media: status === undefined ? null : { ...receivedMedia(file), status },
  });
  type Row = ReturnType<typeof message>;
  const change = (before?: Row, after?: Row) =>
    messageTo("inboxFiles", { pk: "CONVERSATION#c", before, after });
  const named = { conversation_id: "c", id: "m" };
  expect([
    change(undefined, message("pending")),
    change(message("pending"), message("removed")),
    change(message("ready"), message("removed")),
    change(message("ready"), undefined),
  ]).toEqual([named, named, named, named]);
  expect([
    change(undefined, message()),
    change(message("pending"), message("ready")),
    change(message("removed"), message("removed")),
    change(message("removed"), undefined),
    change(message(), undefined),
  ]).toEqual(Array.from({ length: 5 }));
});
