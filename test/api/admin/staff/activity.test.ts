import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Activity } from "#shared/domain/staff/activity.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { openActivityLog, recordActivity } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import type { Problem } from "#test/support/http/answers.ts";
import type { StaffClient } from "#test/support/people/people.ts";

type Entry = Activity & { actor: { id: string; name: string | null; email: string | null } };
interface Page {
  data: Entry[];
  meta: { per_page: number; next_cursor: string | null };
}

let office: BackOffice;
let owner: StaffClient;
let clerk: StaffClient;
const thisMonth = new Date().toISOString().slice(0, 7);
const chair = { kind: "product", id: "prd_chair", label: "Chair" };

beforeAll(async () => {
  office = await openBackOffice();
  owner = await office.colleague("owner");
  clerk = await office.colleague("catalog_editor");
  const did = (actor: { id: string }, action: string, at: string, target = chair) =>
    recordActivity({ actor, requestId: "req-1", now: new Date(at) }, action, target, {
      before: { price: 100 },
      after: { price: 200 },
    });
  // The store is in India, where February begins at 18:30 UTC.
  await office.table.transact([
    did(clerk, "product.create", "2026-01-31T18:29:59.999Z"),
    did(clerk, "product.update", "2026-01-31T18:30:00.000Z"),
    did(owner, "product.publish", "2026-02-03T10:00:00.000Z"),
    did(clerk, "product.update", "2026-02-04T10:00:00.000Z", { ...chair, id: "prd_table" }),
    did({ id: "stf_gone" }, "product.update", "2026-02-05T10:00:00.000Z"),
  ]);
});
afterAll(() => office.stop());

const read = (query: string) => owner.ask<Page & Problem>("GET", `/admin/activity?${query}`);
const logged = async (query: string) =>
  (await read(query)).body.data.map(({ action, at }) => `${at.slice(0, 10)} ${action}`);

async function allPages(query: string): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body }: { body: Page } = await read(`${query}${cursor && `&cursor=${cursor}`}`);
    found.push(...body.data);
    cursor = body.meta.next_cursor;
  }
  return found;
}

describe("the activity log", () => {
  test("lists the writes of the current month with change, actor and request", async () => {
    const reply = await owner.ask("PATCH", `/admin/users/${clerk.id}`, { name: "Joseph Kurien" });
    const { body, status } = await read("");
    expect(status).toBe(200);
    const { name, email } = await owner.stored();
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^act_/),
        at: expect.stringContaining(thisMonth),
        actor: { id: owner.id, name, email },
        action: "staff.update",
        target: { kind: "staff", id: clerk.id, label: "Joseph Kurien" },
        changes: [{ path: "name", from: "Meera Iyer", to: "Joseph Kurien" }],
        request_id: reply.headers.get("x-request-id"),
      },
    ]);
  });

  test("lists the writes of a requested month of the store, newest first", async () => {
    expect(await logged("month=2026-02")).toEqual([
      "2026-02-05 product.update",
      "2026-02-04 product.update",
      "2026-02-03 product.publish",
      "2026-01-31 product.update",
    ]);
    expect(await logged("month=2025-12")).toEqual([]);
  });

  test("can be filtered by target, by actor and by both, in all months or in one", async () => {
    expect(await logged("target=product:prd_chair")).toEqual([
      "2026-02-05 product.update",
      "2026-02-03 product.publish",
      "2026-01-31 product.update",
      "2026-01-31 product.create",
    ]);
    expect(await logged(`actor=${clerk.id}`)).toEqual([
      "2026-02-04 product.update",
      "2026-01-31 product.update",
      "2026-01-31 product.create",
    ]);
    expect(await logged(`actor=${clerk.id}&month=2026-01`)).toEqual(["2026-01-31 product.create"]);
    expect(await logged(`actor=${clerk.id}&target=product:prd_chair&month=2026-02`)).toEqual([
      "2026-01-31 product.update",
    ]);
  });

  test("can be filtered by days of the store, over months, and by action", async () => {
    expect(await logged("from=2026-01-31&to=2026-02-04")).toEqual([
      "2026-02-04 product.update",
      "2026-02-03 product.publish",
      "2026-01-31 product.update",
      "2026-01-31 product.create",
    ]);
    expect(await logged("from=2026-02-01&to=2026-02-01")).toEqual(["2026-01-31 product.update"]);
    expect(await logged("from=2025-11-01&to=2026-03-31&action=product.update")).toEqual([
      "2026-02-05 product.update",
      "2026-02-04 product.update",
      "2026-01-31 product.update",
    ]);
    expect(await logged(`actor=${clerk.id}&action=product.create`)).toEqual([
      "2026-01-31 product.create",
    ]);
    expect(await logged("target=product:prd_chair&from=2026-02-02&to=2026-02-03")).toEqual([
      "2026-02-03 product.publish",
    ]);
  });

  test("takes the days from the first to today, and at most a year of them", async () => {
    await owner.ask("PATCH", `/admin/users/${clerk.id}`, { name: "Meera Joseph" });
    const today = dayIn("Asia/Kolkata", new Date());
    expect(await logged(`from=${today}&per_page=1`)).toEqual([
      `${new Date().toISOString().slice(0, 10)} staff.update`,
    ]);
    for (const [query, path] of [
      ["to=2026-02-03", "from"],
      ["from=2026-02-03&to=2026-02-02", "to"],
      ["from=2025-01-01&to=2026-01-02", "to"],
      ["from=2026-02-03&month=2026-02", "month"],
      ["action=update", "action"],
    ]) {
      const { status, body } = await read(query!);
      expect([query, status, Object.keys(body.errors ?? {})]).toEqual([query, 422, [path]]);
    }
    expect((await read("from=2025-01-01&to=2026-01-01")).status).toBe(200);
  });

  test("reads only the months that its days touch, in UTC", async () => {
    const read: string[] = [];
    const table: Table = {
      ...office.table,
      async page(of, range, options) {
        read.push(range.partition);
        return office.table.page(of, range, options);
      },
    };
    const range = {
      from: new Date("2025-12-31T23:59:59.999Z"),
      until: new Date("2026-02-01T00:00:00.000Z"),
    };
    await openActivityLog(table).list({ range }, { limit: 10 });
    expect(read).toEqual(["ACTIVITY#2026-01", "ACTIVITY#2025-12"]);
  });

  test("can be read by cursor to its end with every filter", async () => {
    for (const query of [
      "month=2026-02",
      "target=product:prd_chair",
      `actor=${clerk.id}`,
      "from=2026-01-31&to=2026-02-04",
      "from=2025-12-01&to=2026-03-01&action=product.update",
    ]) {
      const whole = (await read(query)).body.data;
      expect(await allPages(`${query}&per_page=1`)).toEqual(whole);
    }
  });

  test("shows a deleted actor by id only", async () => {
    const [latest] = (await read("month=2026-02")).body.data;
    expect(latest?.actor).toEqual({ id: "stf_gone", name: null, email: null });
  });

  test("refuses an invalid cursor and a cursor of another list or month", async () => {
    const { next_cursor } = (await read("month=2026-02&per_page=1")).body.meta;
    const chairs = (await read("target=product:prd_chair&per_page=1")).body.meta.next_cursor;
    for (const query of [
      `month=2026-01&cursor=${next_cursor}`,
      `actor=${clerk.id}&cursor=${next_cursor}`,
      `target=product:prd_table&cursor=${chairs}`,
      `target=product:prd_chair&month=2026-01&cursor=${chairs}`,
      "cursor=nonsense",
    ]) {
      const { status, body } = await read(query);
      expect([query, status, Object.keys(body.errors ?? {})]).toEqual([query, 422, ["cursor"]]);
    }
  });

  test.each(["month=2026-13", "month=now", "actor=somebody", "target=product", "target=sock:A"])(
    "refuses the query %s with 422",
    async (query) => {
      expect((await read(query)).status).toBe(422);
    },
  );

  test("explains in the error which format a month and a target must have", async () => {
    const { errors } = (await read("month=2026-13&target=product")).body;
    expect(errors).toEqual({
      month: ["The month field must be a month such as 2026-01."],
      target: ["The target field must be a kind and an id, such as settings:store."],
    });
  });
});
