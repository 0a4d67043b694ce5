import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { dayIn, plusDays } from "#shared/domain/base/day.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { Leads } from "#shared/storage/enquiry/leads.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { type Client, clientOf } from "#test/support/http/client.ts";
import { faultOf, type Problem } from "#test/support/http/answers.ts";
import { type Submitted, aLeadForm } from "#test/support/back-office/sales.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { otherwiseTyped, tally } from "#test/support/shop/shopping.ts";
import { expectAfter } from "#test/support/stack/clock.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world, inbox, staffAs } = await useShop({ effects: ["mail"] });

interface LeadView {
  id: string;
  reference: string;
  status: string;
  name: string;
  assignee: { id: string; name: string | null } | null;
  notes: { text: string; author: { id: string; name: string } }[];
  allowed_transitions: string[];
  lost_reason: string | null;
  version: number;
}
type Answer = Data<LeadView> & Problem;

const visitor = (): Client => clientOf(baseUrl);
const sales = await staffAs("sales");
const looker = await staffAs("catalog_editor");

const submit = (form: object, client = visitor(), headers = {}): Promise<Submitted> =>
  client.post("/leads", form, headers);
const aLead = async (overrides = {}) => (await submit(aLeadForm(overrides))).body.data;
const change = (id: string, patch: object, headers = {}) =>
  sales.patch<Answer>(`/admin/leads/${id}`, patch, headers);

describe("a submitted lead form", () => {
  test("creates a lead and sends a mail to the shop and to the sender", async () => {
    const form = aLeadForm({
      type: "bulk",
      products: ["kaveri-lounge-chair"],
      source: { page: "/sofas", utm_source: "letter" },
    });
    const before = new Date();
    const { status, body } = await submit(form);
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^lead_/),
      reference: expect.stringMatching(/^L(-[2-9A-HJ-NP-Z]{4}){2}$/),
      status: "new",
    });
    const stored = await world.table.get(Leads, { id: body.data.id });
    expect(stored).toMatchObject({ email: form.email, source: { utm_source: "letter" } });
    expectAfter(stored?.consented_at ?? undefined, before, 0);

    const { reference } = body.data;
    const own = await inbox.waitFor(form.email);
    expect(own.body.text).toContain(reference);
    for (const typed of [form.message, form.name]) expect(own.body.text).not.toContain(typed);
    const shops = await inbox.waitFor("hello@dehleez.example", (mail) =>
      mail.subject.includes(reference),
    );
    expect(shops.body.text).toContain(form.message);
    expect([own.replyTo, shops.replyTo]).toEqual([["hello@dehleez.example"], [form.email]]);
  });

  test("creates one lead if it is submitted twice, even concurrently", async () => {
    const form = aLeadForm();
    const replies = await Promise.all(Array.from({ length: 4 }, () => submit(form)));
    replies.push(await submit({ ...form, source: { page: "/elsewhere" } }));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(replies.map(({ body }) => body.data.reference)).size).toBe(1);
    for (const phone of otherwiseTyped(form.phone)) {
      const again = await submit({ ...form, phone });
      expect(again.body.data.reference).toBe(replies[0]?.body.data.reference);
    }
    const other = await submit({ ...form, message: "Something else" });
    expect(other.body.data.reference).not.toBe(replies[0]?.body.data.reference);
  });

  test("from a bot gets the normal response and stores nothing", async () => {
    const reply = await submit(aLeadForm({ website: "https://spam.example" }));
    expect(reply.status).toBe(201);
    expect(reply.body.data).toEqual({
      id: expect.stringMatching(/^lead_/),
      reference: expect.stringMatching(/^L-/),
      status: "new",
    });
    expect(await world.table.get(Leads, { id: reply.body.data.id })).toBeUndefined();
  });

  test.each([
    ["has neither email nor phone", { email: null, phone: null }, "email"],
    ["lacks the consent", { consent: false }, "consent"],
    ["has an unknown type", { type: "gossip" }, "type"],
    ["has an unknown member", { status: "won" }, "status"],
    ["names a script as its page", { source: { page: "javascript:alert(1)" } }, "source.page"],
    ["names an FTP address as its page", { source: { page: "ftp://a.test/" } }, "source.page"],
    [
      "configures its sofa with an unknown option",
      { products: ["kaveri-lounge-chair", "saanjh-sofa"], configuration: { wings: "golden" } },
      "configuration.wings",
    ],
  ])("is refused if it %s", async (_what, overrides, path) => {
    const reply = await submit(aLeadForm(overrides));
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toHaveProperty([path]);
    expect(faultOf(reply)).toBeUndefined();
  });

  test("is refused at the path of a reference to an unknown product", async () => {
    const chair = await visitor().get<Data<{ id: string }>>("/products/kaveri-lounge-chair");
    const products = [chair.body.data.id, "saanjh-sofa", "no-such-chair", newId("prd", new Date())];
    const reply = await submit(aLeadForm({ products }));
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors ?? {})).toEqual(["products.2", "products.3"]);
  });

  test("returns 404 if it is repeated after its lead was deleted", async () => {
    const client = visitor();
    const form = aLeadForm();
    const headers = { "idempotency-key": form.email };
    const { id } = (await submit(form, client, headers)).body.data;
    await world.table.write(remove(Leads, { id }));
    const again = await submit(form, client, headers);
    expect([again.status, again.body.code]).toEqual([404, "not_found"]);
  });

  test("is limited to five in ten minutes from one IP address", async () => {
    const client = visitor();
    const replies = [];
    for (let count = 0; count < 6; count++) replies.push(await submit(aLeadForm(), client));
    // If the ten minutes end between the calls, all six succeed.
    expect([{ 201: 5, "429 too_many_requests": 1 }, { 201: 6 }]).toContainEqual(tally(replies));
  });
});

describe("a lead in the back office", () => {
  test("can change its status only by the allowed transitions", async () => {
    const { id } = await aLead();
    for (const status of ["contacted", "qualified", "quoted", "won"]) {
      const moved = await change(id, { status });
      expect([moved.status, moved.body.data.status]).toEqual([200, status]);
    }
    const back = await change(id, { status: "new" });
    expect([back.status, back.body.code]).toEqual([409, "invalid_transition"]);
    expect(back.body.message).toBe("The state cannot change from won to new.");
    expect(back.body.details).toEqual({ from: "won", to: "new", allowed: [] });
    const { body } = await change((await aLead()).id, { status: "won" });
    expect(body.details).toEqual({
      from: "new",
      to: "won",
      allowed: ["contacted", "lost", "spam"],
    });
  });

  test("requires a reason to be marked as lost", async () => {
    const { id } = await aLead();
    const { status, body } = await change(id, { status: "lost" });
    expect([status, body.errors]).toEqual([422, { reason: ["Give a reason for the lost lead."] }]);
    const lost = await change(id, { status: "lost", reason: "Bought elsewhere" });
    expect(lost.body.data).toMatchObject({ status: "lost", lost_reason: "Bought elsewhere" });
  });

  test("can be assigned, and accepts new notes but no changes of earlier ones", async () => {
    const { id } = await aLead();
    await change(id, { notes: "Called, nobody there." });
    const { status, body } = await change(id, {
      assignee: sales.id,
      follow_up_at: "2027-01-04T10:00:00+05:30",
      notes: "Comes on Saturday.",
    });
    expect(status).toBe(200);
    expect(body.data.assignee).toEqual({ id: sales.id, name: expect.any(String) });
    expect(body.data.notes.map(({ text, author }) => [text, author.id])).toEqual([
      ["Called, nobody there.", sales.id],
      ["Comes on Saturday.", sales.id],
    ]);
    for (const assignee of ["stf_01KE66PJA0M594E921BVM9D6BK", looker.id]) {
      const nobody = await change(id, { assignee });
      expect([nobody.status, Object.keys(nobody.body.errors ?? {})]).toEqual([422, ["assignee"]]);
    }
  });

  test("keeps all concurrent changes", async () => {
    const { id } = await aLead();
    const replies = await Promise.all([
      change(id, { notes: "One" }),
      change(id, { notes: "Two" }),
      change(id, { assignee: sales.id }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const read = await sales.get<Answer>(`/admin/leads/${id}`);
    expect(read.body.data).toMatchObject({ version: 4, assignee: { id: sales.id } });
    expect(read.body.data.notes).toHaveLength(2);
    expect(read.headers.get("etag")).toBe('"v4"');
  });

  test("can be found by status, assignee, email, phone, reference and day", async () => {
    const today = dayIn("Asia/Kolkata", new Date());
    const form = aLeadForm({ type: "callback" });
    const { id, reference } = (await submit(form)).body.data;
    const idsOf = async (query: string) => {
      const { body } = await sales.get<Data<LeadView[]>>(`/admin/leads?${query}`);
      return body.data.map((lead) => lead.id);
    };
    expect(await idsOf(`q=${encodeURIComponent(form.email)}`)).toEqual([id]);
    expect(await idsOf(`q=${reference.toLowerCase().replaceAll("-", "%20")}`)).toEqual([id]);
    expect(await idsOf(`status=new&type=callback&from=${today}&per_page=100`)).toContain(id);
    for (const phone of [form.phone, ...otherwiseTyped(form.phone)]) {
      expect([phone, await idsOf(`q=${encodeURIComponent(phone)}`)]).toEqual([phone, [id]]);
    }
    expect(await idsOf("to=2020-01-01")).toEqual([]);
    const later = plusDays(today, 2);
    const own = `q=${encodeURIComponent(form.email)}`;
    expect(await idsOf(`${own}&from=${today}&to=${later}`)).toEqual([id]);
    expect(await idsOf(`${own}&from=${later}`)).toEqual([]);
    const backwards = await sales.get<Problem>(`/admin/leads?from=${later}&to=${today}`);
    expect([backwards.status, Object.keys(backwards.body.errors ?? {})]).toEqual([422, ["to"]]);
    await change(id, { status: "spam", assignee: sales.id });
    expect(await idsOf(`q=${reference}&status=new`)).toEqual([]);
    expect(await idsOf(`assignee=${sales.id}&status=spam`)).toContain(id);
  });

  test("can be found by its day in the shop's timezone", async () => {
    const form = aLeadForm({ type: "callback" });
    const { id } = (await submit(form)).body.data;
    const lead = await world.table.get(Leads, { id });
    if (!lead) throw new Error("The lead is not stored");
    // In India it is half past midnight of the next day.
    await world.table.write(put(Leads, { ...lead, created_at: "2026-01-31T19:00:00.000Z" }));
    const found = async (days: string) => {
      const query = `q=${encodeURIComponent(form.email)}&${days}`;
      const { body } = await sales.get<Data<LeadView[]>>(`/admin/leads?${query}`);
      return body.data.length;
    };
    const counts = ["from=2026-02-01&to=2026-02-01", "to=2026-01-31", "from=2026-02-02"];
    expect(await Promise.all(counts.map(found))).toEqual([1, 0, 0]);
  });

  test("can be found by a name that looks like a reference", async () => {
    const { id } = await aLead({ name: "Lathasree" });
    const { body } = await sales.get<Data<LeadView[]>>("/admin/leads?q=lathasree&per_page=100");
    expect(body.data.map((lead) => lead.id)).toContain(id);
  });

  test("can be found by name regardless of case and accents", async () => {
    const mark = randomUUID();
    const { id } = await aLead({ name: `Łucja ${mark}` });
    for (const typed of ["lucja", "ŁUCJA"]) {
      const q = encodeURIComponent(`${typed} ${mark}`);
      const { body } = await sales.get<Data<LeadView[]>>(`/admin/leads?q=${q}`);
      expect([typed, body.data.map((lead) => lead.id)]).toEqual([typed, [id]]);
    }
  });

  test("is listed by follow-up while it is open, the earliest first, by days and filters", async () => {
    type Page = Data<LeadView[]> & { meta: { next_cursor: string | null } };
    const followed = async (follow_up_at: string, patch: object = {}) => {
      const { id } = await aLead();
      expect((await change(id, { follow_up_at, ...patch })).status).toBe(200);
      return id;
    };
    // In India, it is the 5th.
    const late = await followed("2028-03-04T20:00:00Z", { assignee: sales.id });
    const early = await followed("2028-03-04T10:00:00+05:30");
    const moved = await followed("2028-03-03T10:00:00Z");
    const closed = await followed("2028-03-04T11:00:00Z");
    await change(closed, { status: "spam" });
    await change(moved, { follow_up_at: null });
    const listed = async (query: string) => {
      const { status, body, text } = await sales.get<Page>(`/admin/leads?${query}`);
      expect(status, text).toBe(200);
      return body.data.map(({ id }) => id);
    };
    const march = "follow_up_from=2028-03-01&follow_up_to=2028-03-31";
    expect(await listed(march)).toEqual([early, late]);
    expect(await listed(`${march}&assignee=${sales.id}&status=new`)).toEqual([late]);
    expect(await listed("follow_up_from=2028-03-05&follow_up_to=2028-03-05")).toEqual([late]);
    const all = await listed("sort=follow_up_at&per_page=100");
    expect(all.filter((id) => [early, late, moved, closed].includes(id))).toEqual([early, late]);

    const first = await sales.get<Page>(`/admin/leads?${march}&per_page=1`);
    const cursor = encodeURIComponent(first.body.meta.next_cursor ?? "");
    expect(await listed(`${march}&per_page=1&cursor=${cursor}`)).toEqual([late]);
    await change(early, { follow_up_at: "2028-03-20T10:00:00Z" });
    expect(await listed(march)).toEqual([late, early]);
    for (const [query, path] of [
      [`${march}&sort=-created_at`, "sort"],
      ["follow_up_from=2028-03-02&follow_up_to=2028-03-01", "follow_up_to"],
      [`follow_up_from=2028-04-01&cursor=${cursor}`, "cursor"],
    ]) {
      const { status, body } = await sales.get<Problem>(`/admin/leads?${query}`);
      expect([query, status, Object.keys(body.errors ?? {})]).toEqual([query, 422, [path]]);
    }
  });
});
