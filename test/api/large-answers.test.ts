// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { redirectId } from "#shared/domain/content/redirect.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { FaqGroups, FaqOrders } from "#shared/storage/content/faqs.ts";
import { RedirectMaps, RedirectRows } from "#shared/storage/content/redirects.ts";
import { Activities } from "#shared/storage/staff/activity.ts";
import { put } from "#shared/storage/writes.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Reply } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";

/*
 * Lambda counts a result as its runtime encodes it: the JSON body is a JSON string, in which quotes take two bytes. The
 * local gateway measures results so, and answers 500 for one that is too large.
 */
const mostBytes = 6 * 1024 * 1024;
const encodedBytes = (text: string) => Buffer.byteLength(JSON.stringify(text));
const quotes = (length: number) => '"'.repeat(length);

let office: BackOffice;
const now = new Date();
beforeAll(async () => {
  office = await openBackOffice();
});
afterAll(() => office.stop());

interface Item {
  readonly slug?: string;
}
interface Page {
  readonly data: Item[];
  readonly meta: { readonly next_cursor: string | null };
}
type Ask = <Body>(path: string) => Promise<Reply<Body>>;

/** All items of a list, whose pages each fit into a result, and the size of the largest page. */
async function everyItem(ask: Ask, path: string): Promise<{ items: Item[]; most: number }> {
  const items: Item[] = [];
  let most = 0;
  let cursor: string | null = "";
  while (cursor !== null) {
    const at: string = cursor === "" ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
    const { status, text, body } = await ask<Page>(at);
    expect([at, status]).toEqual([at, 200]);
    most = Math.max(most, encodedBytes(text));
    items.push(...body.data);
    cursor = body.meta.next_cursor;
  }
  expect(most).toBeLessThan(mostBytes);
  return { items, most };
}

test("the largest diffs of the activity log fit into each page of a hundred", async () => {
  const owner = await office.colleague("owner");
  const target = { kind: "settings", id: "store", label: "Settings: store" };
  const changes = Array.from({ length: 100 }, (_, at) => ({
    path: `pickup_locations.${at}.${"opening_hours.".repeat(8)}text`,
    from: quotes(200),
    to: quotes(200),
  }));
  for (let at = 0; at < 250; at += 1) {
    const row = {
      id: newId("act", now),
      at: now.toISOString(),
      actor_id: owner.id,
      target,
      changes,
    };
    const named = { ...row, action: "settings.update", request_id: "request" };
    await office.table.write(put(Activities, named));
  }
  const path = `/admin/activity?target=settings:store&per_page=100`;
  const { items, most } = await everyItem(owner.get, path);
  expect(items).toHaveLength(250);
  expect(most).toBeGreaterThan(1_000_000);
});

describe("a public list that does not fit into one result", () => {
  const visitor: Ask = (path) => clientOf(office.stack.baseUrl).get(path);

  test("of FAQ groups is refused with what to do, and has pages that fit", async () => {
    const groups = Array.from({ length: 40 }, (_, group) => ({
      slug: `group-${group}`,
      title: "Questions",
      items: Array.from({ length: 20 }, () => ({
        id: newId("faq", now),
        question: "Why?",
        answer_html: `<p>${"A long answer. ".repeat(600)}</p>`,
      })),
    }));
    const dated = { version: 1, created_at: now.toISOString() };
    await office.table.writeMany([
      ...groups.map((group) => put(FaqGroups, { ...group, ...dated })),
      put(FaqOrders, { slugs: groups.map(({ slug }) => slug), version: 1 }),
    ]);
    const whole = await visitor<Problem>("/faqs");
    expect([whole.status, whole.body.code]).toEqual([413, "payload_too_large"]);
    expect(whole.body.message).toContain("per_page");
    const { items } = await everyItem(visitor, "/faqs?per_page=20");
    expect(items.map(({ slug }) => slug)).toEqual(groups.map(({ slug }) => slug));
  });

  test("of redirects is refused with what to do, and has pages that fit", async () => {
    const redirects = Array.from({ length: 2_000 }, (_, at) => ({
      from: `/${at}${quotes(494)}`,
      to: `/${quotes(499)}`,
      status: 301 as const,
    }));
    const dated = { version: 1, created_at: now.toISOString() };
    await office.table.writeMany([
      ...redirects.map((redirect) =>
        put(RedirectRows, { ...redirect, id: redirectId(redirect.from), ...dated }),
      ),
      put(RedirectMaps, { version: 1 }),
    ]);
    const whole = await visitor<Problem>("/redirects");
    expect([whole.status, whole.body.code]).toEqual([413, "payload_too_large"]);
    const { items } = await everyItem(visitor, "/redirects?per_page=100");
    expect(items).toHaveLength(2_000);
  });
});
