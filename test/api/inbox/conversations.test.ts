import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import type { Activity } from "#shared/domain/staff/activity.ts";
import type { AdminConversation } from "#shared/domain/inbox/conversation.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { InboxCounters } from "#shared/storage/inbox/inbox.ts";
import { clientOf } from "#test/support/http/client.ts";
import { addStaff, aStaffUser } from "#test/support/people/staff.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { otherwiseTyped } from "#test/support/shop/shopping.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import {
  type WhatsAppDesk,
  aMessage,
  aPayload,
  openWhatsAppDesk,
} from "#test/support/back-office/whatsapp.ts";

type View = z.output<typeof AdminConversation>;
interface One {
  data: View;
}
interface Many {
  data: View[];
  meta: { next_cursor: string | null };
}

let desk: WhatsAppDesk;
let sales: StaffClient;
let owner: StaffClient;
beforeAll(async () => {
  desk = await openWhatsAppDesk();
  sales = await desk.staff("sales");
  owner = await desk.staff("owner");
});
afterAll(() => desk.stack.stop());

const list = "/admin/inbox/conversations";
const pathOf = ({ id }: { id: string }) => `${list}/${id}`;
const idsOf = ({ body }: { body: Many }) => body.data.map(({ id }) => id);

test("staff can read a conversation, assign it and mark it as read", async () => {
  const { id, phone } = await desk.written({ name: "Ünal" });
  const read = await sales.get<One>(pathOf({ id }));
  expect(read.body.data).toMatchObject({ id, phone, unread_count: 1, assignee: null });
  expect(read.headers.get("etag")).toBe('"v1"');

  const patch = { assignee: sales.id, status: "pending", unread_count: 0 };
  const changed = await sales.patch<One>(pathOf({ id }), patch);
  expect([changed.status, changed.headers.get("etag")]).toEqual([200, '"v2"']);
  expect(changed.body.data).toMatchObject({
    status: "pending",
    unread_count: 0,
    assignee: { id: sales.id, name: expect.any(String) },
  });
  const again = await sales.patch<One>(pathOf({ id }), patch);
  expect(again.headers.get("etag")).toBe('"v2"');
  expect((await sales.patch<One>(pathOf({ id }), { assignee: null })).body.data.assignee).toBe(
    null,
  );

  const log = await owner.get<{ data: Activity[] }>(`/admin/activity?target=conversation:${id}`);
  expect(log.body.data.map(({ action, changes }) => [action, changes.length])).toEqual([
    ["conversation.update", 1],
    ["conversation.update", 3],
  ]);
});

test("marking a conversation as read returns 412 if a message arrived after the version in If-Match", async () => {
  const conversation = await desk.written();
  const message = aMessage(conversation.phone.slice(1));
  await desk.deliver(aPayload({ messages: [message] }));
  const seen = { "if-match": `"v${conversation.version}"` };
  const late = await sales.patch<Problem>(pathOf(conversation), { unread_count: 0 }, seen);
  expect([late.status, late.body.code]).toEqual([412, "version_mismatch"]);
});

test("an incoming message reopens a resolved conversation", async () => {
  const conversation = await desk.written();
  await sales.patch(pathOf(conversation), { status: "resolved" });
  await desk.deliver(aPayload({ messages: [aMessage(conversation.phone.slice(1))] }));
  const { body } = await sales.get<One>(pathOf(conversation));
  expect(body.data).toMatchObject({ status: "open", unread_count: 2 });
});

test("a conversation refuses unknown assignees and unknown linked records", async () => {
  const conversation = await desk.written();
  const now = new Date();
  const disabled = aStaffUser({ role: "sales", status: "disabled" });
  const editor = aStaffUser({ role: "catalog_editor" });
  await desk.table.transact([...addStaff(disabled), ...addStaff(editor)]);
  const wrong = [
    { assignee: newId("stf", now) },
    { assignee: disabled.id },
    { assignee: editor.id },
    { lead_id: newId("lead", now) },
    { order_id: newId("ord", now) },
    { unread_count: 5 },
    { status: "closed" },
  ];
  for (const patch of wrong) {
    const refused = await sales.patch<Problem>(pathOf(conversation), patch);
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([
      422,
      Object.keys(patch),
    ]);
  }
  const { body } = await sales.get<One>(pathOf(conversation));
  expect(body.data.version).toBe(conversation.version);
});

test("a conversation can be linked to a lead and unlinked", async () => {
  const conversation = await desk.written();
  const form = { type: "contact", name: "Asha Rao", phone: conversation.phone, consent: true };
  const made = await clientOf(desk.stack.baseUrl).post<{ data: { id: string } }>("/leads", form);
  const lead_id = made.body.data.id;
  for (const link of [lead_id, null]) {
    const { body } = await sales.patch<One>(pathOf(conversation), { lead_id: link });
    expect(body.data.lead_id).toBe(link);
  }
});

test("an unknown conversation returns 404", async () => {
  expect((await sales.get(pathOf({ id: newId("conv", new Date()) }))).status).toBe(404);
  expect((await sales.patch(pathOf({ id: "nothing" }), { status: "open" })).status).toBe(404);
});

describe("the list of conversations", () => {
  test("is ordered by last message, filtered by status, assignee and text, and paginated by cursor", async () => {
    const mark = `Mark${Math.random().toString(36).slice(2, 10)}`;
    const old = await desk.written({ name: `${mark} Old`, ago: 3 });
    const mid = await desk.written({ name: `${mark} Mid`, ago: 2 });
    const young = await desk.written({ name: `${mark} Young`, ago: 1 });
    const q = `q=${mark.toLowerCase()}`;
    expect(idsOf(await sales.get<Many>(`${list}?${q}`))).toEqual([young.id, mid.id, old.id]);

    await sales.patch(pathOf(mid), { status: "resolved", assignee: sales.id });
    expect(idsOf(await sales.get<Many>(`${list}?${q}&status=resolved`))).toEqual([mid.id]);
    expect(idsOf(await sales.get<Many>(`${list}?${q}&assignee=me`))).toEqual([mid.id]);
    expect(idsOf(await sales.get<Many>(`${list}?${q}&assignee=${sales.id}`))).toEqual([mid.id]);
    expect(idsOf(await sales.get<Many>(`${list}?${q}&assignee=none`))).toEqual([young.id, old.id]);
    const byNumber = `${list}?q=${encodeURIComponent(old.phone)}`;
    expect(idsOf(await sales.get<Many>(byNumber))).toEqual([old.id]);
    for (const typed of otherwiseTyped(old.phone)) {
      const byTyped = `${list}?q=${encodeURIComponent(typed)}`;
      expect([typed, idsOf(await sales.get<Many>(byTyped))]).toEqual([typed, [old.id]]);
    }

    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const after: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await sales.get<Many>(`${list}?per_page=1${after}`);
      seen.push(...idsOf(page));
      cursor = page.body.meta.next_cursor;
    }
    expect(seen.filter((id) => [old.id, mid.id, young.id].includes(id))).toEqual([
      young.id,
      mid.id,
      old.id,
    ]);
    expect(new Set(seen).size).toBe(seen.length);
    expect((await sales.get(`${list}?cursor=forged`)).status).toBe(422);
  });

  test("finds a name regardless of case and accents", async () => {
    const mark = Math.random().toString(36).slice(2, 10);
    const { id } = await desk.written({ name: `María Søren${mark}` });
    for (const typed of [`maria soren${mark}`, `MARÍA SØREN${mark}`]) {
      const found = await sales.get<Many>(`${list}?q=${encodeURIComponent(typed)}`);
      expect([typed, idsOf(found)]).toEqual([typed, [id]]);
    }
  });
});

test("the inbox counters match the unread, open and pending conversations", async () => {
  const before = (await desk.table.get(InboxCounters, {})) ?? { unread: 0, open: 0, pending: 0 };
  const [one] = [await desk.written(), await desk.written()];
  await sales.patch(pathOf(one), { status: "pending", unread_count: 0 });
  expect(await desk.table.get(InboxCounters, {})).toEqual({
    unread: before.unread + 1,
    open: before.open + 1,
    pending: before.pending + 1,
  });
});
