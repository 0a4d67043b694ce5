import { describe, expect, test } from "vitest";
import {
  type Carried,
  DocumentPending,
  attach,
} from "#shared/application/document/carried-document.ts";
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
const page = "https://shop.example.com/orders/ord_1";
const carried: Carried = { owner_id: "ord_1", type: "invoice", number: invoice.number, page };

/** The mail with the document of an order that has these, so many seconds after the mail was requested. */
const sentWith = (made: readonly StoredDocument[], document: Carried, seconds = 0) =>
  attach(document, { ...notes, documents: [...made] }, mail, {
    since: noon.toISOString(),
    now: new Date(noon.getTime() + seconds * 1_000),
  });

describe("a mail with a document", () => {
  test("carries the document as soon as it is made", () => {
    const sent = sentWith([invoice], carried);
    const filename = "invoice-FS-26-27-000123.pdf";
    expect(sent.attachment).toEqual({ key: invoice.key, filename });
    expect(sent.text).toBe(mail.text);
  });

  test.each([note, voucher])("carries the $type of its cause", ({ type, key }) => {
    const ofCause: Carried = { owner_id: "ord_1", type, cause_id: "txn_1", page };
    const sent = sentWith([invoice, note, voucher], ofCause);
    expect(sent.attachment?.key).toBe(key);
  });

  test.each([
    ["is not made", []],
    ["is another one", [note]],
  ])("waits while its document %s", (_what, made) => {
    expect(() => sentWith(made, carried, 119)).toThrow(DocumentPending);
  });

  test("waits for the number of an invoice", () => {
    const numberless = { ...carried, number: undefined };
    expect(() => sentWith([invoice], numberless)).toThrow(DocumentPending);
  });

  test("goes without it after two minutes, and links to it", () => {
    const sent = sentWith([], carried, 120);
    expect(sent.attachment).toBeNull();
    expect(sent.text).toContain(`Open your documents:\n${page}`);
    expect(sent.html).toContain(page);
    const linked = sentWith([], { ...carried, page: null }, 120);
    expect(linked.text).toBe(mail.text);
  });

  test("goes without a document that was removed with its account", () => {
    const removed = { ...invoice, removed_at: noon.toISOString() };
    expect(sentWith([removed], carried).attachment).toBeNull();
  });
});
