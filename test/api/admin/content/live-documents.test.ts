import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type {
  Menus,
  PublicAnnouncement,
  PublicSofaLanding,
} from "#shared/domain/content/content.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { clientOf } from "#test/support/http/client.ts";
import { anId } from "#test/support/shop/commerce.ts";
import type { Problem } from "#test/support/http/answers.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { soon, waitFor } from "#test/support/stack/wait-until.ts";

let office: BackOffice;
let editor: StaffClient;
beforeAll(async () => {
  office = await openBackOffice({ effects: ["catalog-index"] });
  editor = await office.colleague("content_editor");
});
afterAll(() => office.stop());

type Answered = Data<Record<string, unknown> & { version: number }> & Problem;
const put = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  editor.ask<Answered>("PUT", path, body, headers);
const get = (path: string) => editor.ask<Answered>("GET", path);
async function bootstrap() {
  const answer = await clientOf(office.stack.baseUrl).get<
    Data<{ menus: Menus; announcement: PublicAnnouncement | null }>
  >("/bootstrap");
  return answer.body.data;
}

const bar = { enabled: true, text: "Sale", theme: "sale" };
const item = (label: string, children: object[] = []) => ({ label, href: "/sofas", children });
const menus = (header: object[]) => ({ header, footer: [], mobile: [], legal: [] });
const landing = {
  hero: null,
  intro_html: "<p>Built for you.</p>",
  featured: [],
  usps: [{ icon: "truck", title: "Carried in" }],
  seo: { title: "Sofas" },
};

const documents: [path: string, body: object, other: object][] = [
  ["/admin/announcement", bar, { ...bar, text: "Another sale" }],
  ["/admin/menus", menus([item("Sofas")]), menus([item("Chairs")])],
  ["/admin/sofa-landing", landing, { ...landing, intro_html: "<p>Built for two.</p>" }],
];

describe.each(documents)("%s", (path, body, other) => {
  test("has version 0 at first, and each change increases the version by one", async () => {
    const empty = await get(path);
    expect([empty.status, empty.body.data.version, empty.headers.get("etag")]).toEqual([
      200,
      0,
      '"v0"',
    ]);
    const saved = await put(path, body, { "if-match": '"v0"' });
    expect([saved.status, saved.headers.get("etag")]).toEqual([200, '"v1"']);
    expect((await get(path)).body).toEqual(saved.body);
    expect((await put(path, body)).body.data.version).toBe(1);
    expect((await put(path, other)).body.data.version).toBe(2);
  });

  test("refuses with 412 to overwrite a newer version, with and without If-Match", async () => {
    const { version } = (await get(path)).body.data;
    const late = await put(path, body, { "if-match": `"v${version - 1}"` });
    expect([late.status, late.body.code]).toEqual([412, "version_mismatch"]);
    expect(late.body.details).toEqual({ current_version: version });
    const replies = await Promise.all([1, 2, 3, 4].map(() => put(path, body)));
    const saved = replies.filter(({ status }) => status === 200);
    expect(replies.every(({ status }) => status === 200 || status === 412)).toBe(true);
    // All requests are equal: the first changes the document, the others change nothing.
    expect(new Set(saved.map((reply) => reply.body.data.version))).toEqual(new Set([version + 1]));
    expect((await get(path)).body.data.version).toBe(version + 1);
  });

  test("refuses an incorrect version in the body with 412", async () => {
    const late = await put(path, { ...body, version: 77 });
    expect([late.status, late.body.code]).toEqual([412, "version_mismatch"]);
  });
});

describe("the announcement bar", () => {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

  test.each<[string, object, boolean]>([
    ["is shown between its start and end", { starts_at: at(-1), ends_at: at(1) }, true],
    ["is shown without start and end", {}, true],
    ["is hidden before its start", { starts_at: at(1) }, false],
    ["is hidden after its end", { ends_at: at(-1) }, false],
    ["is hidden when it is disabled", { enabled: false }, false],
  ])("%s", async (_what, overrides, shows) => {
    // Each case has its own text, because functions may still cache the previous case's announcement.
    const own = { ...bar, text: `Sale ${JSON.stringify(overrides)}`, ...overrides };
    expect((await put("/admin/announcement", own)).status).toBe(200);
    await soon(async () => {
      const { announcement } = await bootstrap();
      expect(announcement?.text).toBe(shows ? own.text : undefined);
      if (shows) expect(Object.keys(announcement ?? {})).not.toContain("version");
    });
  });

  test.each<[string, object]>([
    ["ends_at", { starts_at: at(2), ends_at: at(1) }],
    ["ends_at", { ends_at: "tomorrow" }],
    ["theme", { theme: "party" }],
    ["link.href", { link: { label: "x", href: "javascript:alert(1)" } }],
    ["link.href", { link: { label: "x", href: "//evil.example" } }],
    ["text", { text: "" }],
  ])("is refused at the path %s if that member is invalid", async (path, overrides) => {
    const refused = await put("/admin/announcement", { ...bar, ...overrides });
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, [path]]);
  });
});

describe("menus", () => {
  test("are public as soon as they are saved, and have at most three levels", async () => {
    const three = [item("One", [item("Two", [item("Three")])])];
    expect((await put("/admin/menus", menus(three))).status).toBe(200);
    await soon(async () => expect((await bootstrap()).menus).toEqual(menus(three)));
    const four = [item("One", [item("Two", [item("Three", [item("Four")])])])];
    const refused = await put("/admin/menus", menus(four));
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors ?? {})[0]).toMatch(
      /^header\.0\.children\.0\.children\.0\.children/,
    );
  });
});

describe("the sofa landing page content", () => {
  test("is returned with the list of sofas, with sanitised HTML and without a version", async () => {
    const intro_html = "<p>Edited<script>alert(1)</script></p>";
    await put("/admin/sofa-landing", { ...landing, intro_html });
    await waitFor(
      "catalog-index",
      async () => {
        const answer = await clientOf(office.stack.baseUrl).get<{
          meta: { landing: PublicSofaLanding | null };
        }>("/sofas");
        expect(answer.body.meta.landing).toEqual({
          ...landing,
          intro_html: "<p>Edited</p>",
          usps: [{ icon: "truck", title: "Carried in", text: null }],
          seo: { title: "Sofas", description: null },
        });
      },
      { interval: 100 },
    );
  });

  test("refuses references to unknown sofas", async () => {
    const featured = [{ kind: "sofa", id: anId("sofa", 77) }];
    const refused = await put("/admin/sofa-landing", { ...landing, featured });
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([
      422,
      ["featured.0.id"],
    ]);
  });
});
