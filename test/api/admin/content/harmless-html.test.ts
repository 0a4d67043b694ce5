import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attacks, harmfulTags } from "#test/support/hostile/hostile-values.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { soon } from "#test/support/stack/wait-until.ts";
import type { StaffClient } from "#test/support/people/people.ts";

let office: BackOffice;
let editor: StaffClient;
beforeAll(async () => {
  office = await openBackOffice();
  editor = await office.colleague("content_editor");
});
afterAll(() => office.stop());

/** The strings of all members whose names end with `html`, at any depth. */
function htmlIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === "string" && name.endsWith("html") ? [member] : htmlIn(member),
  );
}
async function expectHarmless(path: string, least: number, version?: number): Promise<void> {
  const answer = await soon(async () => {
    const seen = await clientOf(office.stack.baseUrl).get<Data<{ version?: number }>>(path);
    expect([seen.status, seen.body.data.version]).toEqual([200, version]);
    return seen;
  });
  const html = htmlIn(answer.body.data);
  expect(html.length).toBeGreaterThanOrEqual(least);
  expect(html.flatMap(harmfulTags)).toEqual([]);
}

const halves = [attacks.slice(0, 22), attacks.slice(22)];
const block = (html: string) => ({ type: "rich_text", data: { html } });

describe("HTML sanitising", () => {
  test(`removes ${attacks.length} known attacks from the blocks of a page`, async () => {
    const columns = attacks.slice(0, 2).map((html) => ({ html }));
    const made = await editor.ask<Data<{ id: string }>>("POST", "/admin/pages", {
      slug: "attacked",
      title: "Attacked",
      blocks: [...attacks.map(block), { type: "columns", data: { columns } }],
    });
    expect(made.status).toBe(201);
    await editor.ask("POST", `/admin/pages/${made.body.data.id}/publish`);
    await expectHarmless("/pages/attacked", attacks.length);
  });

  test(`removes ${attacks.length} known attacks from the sections of the homepage`, async () => {
    for (const half of halves) {
      const sections = half.map(block);
      expect((await editor.ask("PUT", "/admin/homepage", { sections })).status).toBe(200);
      const path = "/admin/homepage/publish";
      const { body } = await editor.ask<Data<{ published_version: number }>>("POST", path);
      await expectHarmless("/home", half.length, body.data.published_version);
    }
  });

  test(`removes ${attacks.length} known attacks from a story`, async () => {
    const cover = { url: "media://a.webp", alt: "A", width: 1, height: 1 };
    for (const [position, body_html] of attacks.entries()) {
      const slug = `attacked-${position}`;
      const story = { slug, title: "Attacked", cover, body_html };
      const made = await editor.ask<Data<{ id: string }>>("POST", "/admin/interiors", story);
      expect(made.status).toBe(201);
      await editor.ask("POST", `/admin/interiors/${made.body.data.id}/publish`);
      await expectHarmless(`/interiors/${slug}`, 1);
    }
  });

  test(`removes ${attacks.length} known attacks from the answers of FAQs`, async () => {
    const items = attacks.map((answer_html) => ({ question: "Why?", answer_html }));
    const made = await editor.ask("POST", "/admin/faqs", { slug: "a", title: "A", items });
    expect(made.status).toBe(201);
    await expectHarmless("/faqs", attacks.length);
  });
});
