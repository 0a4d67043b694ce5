import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attacks, harmfulTags } from "#test/support/hostile/attacks.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import type { StaffClient } from "#test/support/people/staff-client.ts";

let office: BackOffice;
let editor: StaffClient;
beforeAll(async () => {
  office = await openBackOffice();
  editor = await office.colleague("content_editor");
});
afterAll(() => office.stop());

/** All strings of HTML members in the public responses. */
function htmlIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === "string" && name.endsWith("html") ? [member] : htmlIn(member),
  );
}
async function expectHarmless(path: string, least: number): Promise<void> {
  const answer = await clientOf(office.stack.baseUrl).get<Data<unknown>>(path);
  const html = htmlIn(answer.body.data);
  expect([answer.status, html.length >= least]).toEqual([200, true]);
  expect(html.flatMap(harmfulTags)).toEqual([]);
}

const halves = [attacks.slice(0, 22), attacks.slice(22)];
const block = (html: string) => ({ type: "rich_text", data: { html } });

describe(`HTML sanitising of ${attacks.length} known attacks`, () => {
  test("removes them from the blocks of a page", async () => {
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

  test("removes them from the sections of the homepage", async () => {
    for (const half of halves) {
      const sections = half.map(block);
      expect((await editor.ask("PUT", "/admin/homepage", { sections })).status).toBe(200);
      await editor.ask("POST", "/admin/homepage/publish");
      await expectHarmless("/home", half.length);
    }
  });

  test("removes them from a story", async () => {
    const cover = { url: "media://a.webp", alt: "A", width: 1, height: 1 };
    const made = await editor.ask<Data<{ id: string }>>("POST", "/admin/interiors", {
      slug: "attacked",
      title: "Attacked",
      cover,
      body_html: "",
    });
    const path = `/admin/interiors/${made.body.data.id}`;
    for (const body_html of attacks) {
      expect((await editor.ask("PATCH", path, { body_html })).status).toBe(200);
      await editor.ask("POST", `${path}/publish`);
      await expectHarmless("/interiors/attacked", 1);
    }
  });

  test("removes them from the answers of FAQs", async () => {
    const items = attacks.map((answer_html) => ({ question: "Why?", answer_html }));
    const made = await editor.ask("POST", "/admin/faqs", { slug: "a", title: "A", items });
    expect(made.status).toBe(201);
    await expectHarmless("/faqs", attacks.length);
  });
});
