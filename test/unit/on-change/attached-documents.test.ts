import { describe, expect, test } from "vitest";
import {
  type Carried,
  DocumentPending,
  attachments,
} from "#functions/on-change/outbox/attach-document.ts";
import type { StoredDocument } from "#shared/domain/document/document.ts";
import { letter, paragraph } from "#shared/mail/letter.ts";
import { aStore, noon } from "#test/support/shop/commerce.ts";

const invoice: StoredDocument = {
  owner_id: "ord_1",
  type: "invoice",
  number: "FS/26-27/000123",
  issued_on: "2026-11-21",
  key: "ord_1/invoice/FS-26-27-000123.pdf",
  bytes: 20_000,
  made_at: noon.toISOString(),
  removed_at: null,
};
const note: StoredDocument = {
  ...invoice,
  type: "credit_note",
  number: "FS/26-27/C00001",
  key: "c",
};
const voucher: StoredDocument = {
  ...invoice,
  type: "receipt_voucher",
  number: "FS/26-27/R00001",
  key: "v",
};
const numbered = ({ number, issued_on }: StoredDocument) => ({
  order_id: "ord_1",
  id: "txn_1",
  number,
  issued_on,
});
const notes = { creditNotes: [numbered(note)], vouchers: [numbered(voucher)] };
const mail = letter(aStore(), {
  subject: "Your order is on its way",
  greeting: "Hello,",
  blocks: [paragraph("It is on its way.")],
});
const link = "https://shop.example.com/orders/ord_1";
const carried: Carried = { type: "invoice", number: invoice.number, link };

/** Attaches a document of an order that has these, so many seconds after the mail was requested. */
const attach = (made: readonly StoredDocument[], seconds = 0) =>
  attachments(async () => ({ ...notes, documents: [...made] }), {
    since: noon.toISOString(),
    now: new Date(noon.getTime() + seconds * 1_000),
  });

describe("a mail with a document", () => {
  test("carries the document as soon as it is made", async () => {
    const sent = await attach([invoice])("ord_1", carried, mail);
    const filename = "invoice-FS-26-27-000123.pdf";
    expect(sent.attachment).toEqual({ key: invoice.key, filename });
    expect(sent.text).toBe(mail.text);
  });

  test.each([note, voucher])("carries the $type of its cause", async ({ type, key }) => {
    const ofCause: Carried = { type, cause_id: "txn_1", link };
    const sent = await attach([invoice, note, voucher])("ord_1", ofCause, mail);
    expect(sent.attachment?.key).toBe(key);
  });

  test.each([
    ["is not made", []],
    ["is another one", [note]],
  ])("waits while its document %s", async (_what, made) => {
    const late = attach(made, 119)("ord_1", carried, mail);
    await expect(late).rejects.toThrow(DocumentPending);
  });

  test("waits for the number of an invoice", async () => {
    const numberless = attach([invoice])("ord_1", { ...carried, number: undefined }, mail);
    await expect(numberless).rejects.toThrow(DocumentPending);
  });

  test("goes without it after two minutes, and links to it", async () => {
    const sent = await attach([], 120)("ord_1", carried, mail);
    expect(sent.attachment).toBeNull();
    expect(sent.text).toContain(`Open your documents:\n${link}`);
    expect(sent.html).toContain(link);
    const linked = await attach([], 120)("ord_1", { ...carried, link: null }, mail);
    expect(linked.text).toBe(mail.text);
  });

  test("goes without a document that was removed with its account", async () => {
    const removed = { ...invoice, removed_at: noon.toISOString() };
    expect((await attach([removed])("ord_1", carried, mail)).attachment).toBeNull();
  });
});
