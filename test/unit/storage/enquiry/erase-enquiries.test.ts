import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unfinishedLifetimeMs } from "#shared/domain/upload/upload.ts";
import { newFabricUpload } from "#shared/domain/upload/fabric-upload.ts";
import { type StoredLead, LeadInput, changedLead, newLead } from "#shared/domain/enquiry/lead.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { customItem } from "#shared/domain/enquiry/quote-item.ts";
import { QuoteInput, newQuote } from "#shared/domain/enquiry/quote-input.ts";
import { EnquiriesOfEmail, enquiriesOf } from "#shared/storage/enquiry/enquirers.ts";
import { EnquiryNotes, addNote } from "#shared/storage/enquiry/enquiries.ts";
import { eraseEnquiries } from "#shared/storage/enquiry/erase-enquiries.ts";
import { Leads, addLead, replaceLead } from "#shared/storage/enquiry/leads.ts";
import { FabricUploads } from "#shared/storage/upload/fabric-uploads.ts";
import { Quotes, quoteWrites } from "#shared/storage/enquiry/quotes.ts";
import type { Table } from "#shared/storage/table.ts";
import { holdUpload, keepUpload } from "#shared/storage/enquiry/upload-holds.ts";
import { put } from "#shared/storage/writes.ts";
import { aPerson } from "#test/support/shop/shopping.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
let table: Table;
beforeAll(async () => {
  fixture = await startTestTable();
  ({ table } = fixture);
});
afterAll(() => fixture.stop());

const now = new Date("2026-05-01T12:00:00.000Z");
const contact = (email: string) => ({ name: "Asha Rao", email, consent: true });

async function aLead(email: string): Promise<StoredLead> {
  const input = LeadInput.parse({ type: "contact", ...contact(email) });
  const lead = newLead(input, { id: newId("lead", now), reference: "L-7K3M-92QX", now });
  await table.transact(addLead(lead));
  return lead;
}

async function aQuote(email: string, upload_ids: string[] = []) {
  const custom = { title: "Bench", description: null, dimensions: null };
  const item = { custom, quantity: 1 };
  const input = QuoteInput.parse({ ...contact(email), items: [item], upload_ids });
  const items = [customItem(custom, { id: newId("line", now), quantity: 1 })];
  const made = { id: newId("qte", now), reference: "Q-7K3M-92QX", currency: "INR", now };
  const quote = newQuote({ ...input, items }, made);
  const holds = upload_ids.map((id) => holdUpload(id, now));
  await table.transact([...quoteWrites(quote), ...holds]);
  return quote;
}

const aNote = () => ({
  id: newId("note", now),
  at: now.toISOString(),
  author_id: "stf",
  text: "?",
});
const leadOf = (id: string) => table.get(Leads, { id });
const notesOf = async (id: string) =>
  (await table.page(EnquiryNotes, { partition: `LEAD#${id}`, prefix: "NOTE#" })).records;
const foundUnder = async (email: string) =>
  (await table.page(EnquiriesOfEmail, { partition: enquiriesOf(email) })).records;

describe("erasing the leads and quotes of an email", () => {
  test("erases all of them and no others", async () => {
    const [{ email }, other] = [aPerson(), aPerson()];
    const leads = await Promise.all(Array.from({ length: 23 }, () => aLead(email)));
    const [stranger, quote] = await Promise.all([aLead(other.email), aQuote(email)]);
    await eraseEnquiries(table, email, now);
    const left = await Promise.all(leads.map(({ id }) => leadOf(id)));
    expect(left.filter((lead) => lead?.name !== "Erased" || lead.email !== null)).toEqual([]);
    expect(await table.get(Quotes, quote)).toMatchObject({ name: "Erased", email: null });
    expect(await foundUnder(email)).toEqual([]);
    expect(await leadOf(stranger.id)).toEqual(stranger);
  });

  test("is completed by the next attempt after an interruption, and is idempotent", async () => {
    const { email } = aPerson();
    const { id } = await aLead(email);
    await table.transact([addNote(`LEAD#${id}`, aNote())]);
    const broken: Table = { ...table, transact: () => Promise.reject(new Error("Gone")) };
    await expect(eraseEnquiries(broken, email, now)).rejects.toThrow("Gone");
    expect(await foundUnder(email)).toMatchObject([{ id }]);

    await eraseEnquiries(table, email, now);
    const erased = await leadOf(id);
    expect(erased).toMatchObject({ name: "Erased", version: 2 });
    expect(await notesOf(id)).toEqual([]);
    await eraseEnquiries(table, email, now);
    expect(await leadOf(id)).toEqual(erased);
  });

  test("loses no concurrent change by staff, and deletes all notes by staff", async () => {
    const { email } = aPerson();
    const lead = await aLead(email);
    let changes = 0;
    const busy: Table = {
      ...table,
      async clear(...given) {
        await table.clear(...given);
        if (changes++ > 0) return;
        const edit = changedLead(lead, { status: "contacted", notes: "Asha called" }, now);
        if (!edit.ok) throw new Error("It is refused");
        const note = addNote(`LEAD#${lead.id}`, aNote());
        await table.transact([...replaceLead(lead, edit.record), note]);
      },
    };
    await eraseEnquiries(busy, email, now);
    expect(await leadOf(lead.id)).toMatchObject({
      name: "Erased",
      status: "contacted",
      version: 3,
    });
    expect(await notesOf(lead.id)).toEqual([]);
  });

  test("does not erase a lead if staff change its email concurrently", async () => {
    const [{ email }, other] = [aPerson(), aPerson()];
    const lead = await aLead(email);
    const edit = changedLead(lead, { email: other.email }, now);
    if (!edit.ok) throw new Error("It is refused");
    const busy: Table = {
      ...table,
      async page(of, range, options) {
        const page = await table.page(of, range, options);
        if (page.records.length > 0) await table.transact(replaceLead(lead, edit.record));
        return page;
      },
    };
    await eraseEnquiries(busy, email, now);
    expect(await leadOf(lead.id)).toEqual(edit.record);
    expect(await foundUnder(other.email)).toMatchObject([{ id: lead.id }]);
  });
});

describe("an upload of an erased quote", () => {
  async function anUpload() {
    const asked = { filename: "sofa.jpg", content_type: "image/jpeg", size: 10 } as const;
    const upload = newFabricUpload(asked, { id: newId("upl", now), now });
    await table.write(put(FabricUploads, { ...upload, status: "ready" }));
    return upload.id;
  }
  const expiryOf = async (id: string) => (await table.get(FabricUploads, { id }))?.expires_at;
  const expires = new Date(now.getTime() + unfinishedLifetimeMs).toISOString();

  test("expires a day later unless an earlier order contains it", async () => {
    const { email } = aPerson();
    const [alone, ordered] = await Promise.all([anUpload(), anUpload()]);
    await aQuote(email, [alone, ordered]);
    await eraseEnquiries(table, email, now);
    expect([await expiryOf(alone), await expiryOf(ordered)]).toEqual([expires, expires]);
    await table.write(keepUpload(ordered));
    expect([await expiryOf(alone), await expiryOf(ordered)]).toEqual([expires, null]);
  });

  test("is kept while an order or another quote holds it", async () => {
    const [{ email }, other] = [aPerson(), aPerson()];
    const [shared, ordered] = await Promise.all([anUpload(), anUpload()]);
    await aQuote(email, [shared, ordered]);
    await aQuote(other.email, [shared]);
    await table.write(keepUpload(ordered));
    await eraseEnquiries(table, email, now);
    expect([await expiryOf(shared), await expiryOf(ordered)]).toEqual([null, null]);
    await eraseEnquiries(table, other.email, now);
    expect(await expiryOf(shared)).toBe(expires);
  });

  test("expires once the second of two quotes that hold it is erased", async () => {
    const { email } = aPerson();
    const upload = await anUpload();
    await Promise.all([aQuote(email, [upload]), aQuote(email, [upload])]);
    await eraseEnquiries(table, email, now);
    expect(await expiryOf(upload)).toBe(expires);
  });
});
