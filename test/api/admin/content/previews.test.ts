import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PreviewLink } from "#shared/domain/content/preview-link.ts";
import type { Page } from "#shared/domain/content/page.ts";
import { keepPreview } from "#shared/storage/content/previews.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { type Data, mark } from "#test/support/back-office/catalog.ts";
import { clientOf } from "#test/support/http/client.ts";
import { type Problem, faultOf } from "#test/support/http/answers.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { soon } from "#test/support/stack/wait-until.ts";

let office: BackOffice;
let editor: StaffClient;
beforeAll(async () => {
  office = await openBackOffice();
  editor = await office.colleague("content_editor");
});
afterAll(() => office.stop());

const cover = { url: "media://stories/sea.webp", alt: "The room", width: 1_600, height: 900 };
const aPage = (overrides: object = {}) => ({
  slug: `page-${mark()}`,
  title: "First words",
  ...overrides,
});
const aStory = () => ({ slug: `room-${mark()}`, title: "First words", cover });

type Answered = Data<Page> & Problem;
async function create(path: string, body: object): Promise<Page> {
  const made = await editor.post<Answered>(path, body);
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}
const link = (path: string) =>
  editor.post<Data<PreviewLink> & Problem>(`${path}/preview`, undefined);
/** Creates a preview link, and returns its storefront URL and the token in it. */
async function linkOf(path: string): Promise<{ url: URL; token: string }> {
  const { status, body, text } = await link(path);
  if (status !== 200) throw new Error(text);
  const url = new URL(body.data.url);
  return { url, token: url.searchParams.get("preview") ?? "" };
}
const visitor = () => clientOf(office.stack.baseUrl);
const see = (path: string) => visitor().get<Data<Record<string, unknown>> & Problem>(path);

describe.each([
  ["page", "/admin/pages", "/pages", aPage],
  ["interior story", "/admin/interiors", "/interiors", aStory],
] as const)("a preview link of a %s", (_name, admin, path, body) => {
  test("leads to the storefront, and shows the draft as it is when the link is opened", async () => {
    const draft = await create(admin, body());
    const { url, token } = await linkOf(`${admin}/${draft.id}`);
    expect(url.pathname).toBe(`${path}/${draft.slug}`);
    expect(token).toMatch(/^[\w-]{43}$/);

    const address = `${path}/${draft.slug}?preview=${token}`;
    const shown = await see(address);
    expect(shown.status).toBe(200);
    expect(shown.body.data).toMatchObject({ id: draft.id, title: "First words" });
    expect(shown.headers.get("cache-control")).toBe("private, no-store");
    expect(shown.headers.get("etag")).toBeNull();

    await editor.patch(`${admin}/${draft.id}`, { title: "Second words" });
    expect((await see(address)).body.data).toMatchObject({ title: "Second words" });
    expect((await see(`${path}/${draft.slug}`)).status).toBe(404);
  });

  test("changes neither the published copy nor how it is cached", async () => {
    const draft = await create(admin, body());
    await editor.post(`${admin}/${draft.id}/publish`, undefined);
    await editor.patch(`${admin}/${draft.id}`, { title: "Secret words" });
    const { token } = await linkOf(`${admin}/${draft.id}`);
    const publicPath = `${path}/${draft.slug}`;
    for (let times = 0; times < 2; times++) {
      const previewed = await see(`${publicPath}?preview=${token}`);
      expect(previewed.body.data).toMatchObject({ title: "Secret words" });
      const shown = await see(publicPath);
      expect(shown.body.data).toMatchObject({ title: "First words" });
      expect(shown.headers.get("cache-control")).toContain("public");
    }
  });

  test("shows no other draft", async () => {
    const [draft, other] = [await create(admin, body()), await create(admin, body())];
    const { token } = await linkOf(`${admin}/${draft.id}`);
    const reply = await see(`${path}/${other.slug}?preview=${token}`);
    expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
    expect(faultOf(reply)).toBeUndefined();
    expect((await see(`/home?preview=${token}`)).status).toBe(404);
  });

  test("stops working when the draft is deleted", async () => {
    const draft = await create(admin, body());
    const { token } = await linkOf(`${admin}/${draft.id}`);
    await editor.delete(`${admin}/${draft.id}`);
    expect((await see(`${path}/${draft.slug}?preview=${token}`)).status).toBe(404);
  });

  test("still works at the old slug after the draft's slug has changed", async () => {
    const draft = await create(admin, body());
    const { token } = await linkOf(`${admin}/${draft.id}`);
    await editor.patch(`${admin}/${draft.id}`, { slug: `moved-${mark()}` });
    expect((await see(`${path}/${draft.slug}?preview=${token}`)).status).toBe(200);
  });
});

test("a preview link expires after a day", async () => {
  const draft = await create("/admin/pages", aPage());
  const { body } = await link(`/admin/pages/${draft.id}`);
  const hours = (Date.parse(body.data.expires_at) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);

  const { id, slug } = draft;
  const over = (token: string, ms: number) =>
    keepPreview(token, {
      kind: "page",
      id,
      slug,
      created_at: new Date().toISOString(),
      created_by: "stf_1",
      expires_at: new Date(Date.now() + ms).toISOString(),
    });
  await office.table.transact([over("living", 60_000), over("over", -1)]);
  expect((await see(`/pages/${slug}?preview=living`)).status).toBe(200);
  const reply = await see(`/pages/${slug}?preview=over`);
  expect([reply.status, reply.headers.get("cache-control")]).toEqual([404, "private, no-store"]);
});

describe("preview links are ended", () => {
  const answerOf = async (slug: string, token: string) =>
    (await see(`/pages/${slug}?preview=${token}`)).status;

  test("for one record at a time, and later links work", async () => {
    const [draft, other] = [
      await create("/admin/pages", aPage()),
      await create("/admin/pages", aPage()),
    ];
    const path = `/admin/pages/${draft.id}`;
    const links = [await linkOf(path), await linkOf(path)];
    const kept = await linkOf(`/admin/pages/${other.id}`);
    const refused = await (await office.colleague("analyst")).delete(`${path}/preview`);
    expect([refused.status, await answerOf(draft.slug, links[0]!.token)]).toEqual([403, 200]);
    expect((await editor.delete(`${path}/preview`)).status).toBe(204);
    for (const { token } of links) expect(await answerOf(draft.slug, token)).toBe(404);
    expect(await answerOf(other.slug, kept.token)).toBe(200);
    expect(await answerOf(draft.slug, (await linkOf(path)).token)).toBe(200);
    expect((await editor.delete("/admin/pages/page_none/preview")).status).toBe(404);
  });

  test("for the homepage", async () => {
    const { token } = await linkOf("/admin/homepage");
    expect((await editor.delete("/admin/homepage/preview")).status).toBe(204);
    expect((await see(`/home?preview=${token}`)).status).toBe(404);
  });

  test("when the user who made them is disabled, also if the user is enabled again", async () => {
    const colleague = await office.colleague("content_editor");
    const owner = await office.colleague("owner");
    const draft = await create("/admin/pages", aPage());
    const path = `/admin/pages/${draft.id}`;
    const made = await colleague.post<Data<PreviewLink>>(`${path}/preview`, undefined);
    const token = new URL(made.body.data.url).searchParams.get("preview") ?? "";
    const kept = await linkOf(path);
    expect(await answerOf(draft.slug, token)).toBe(200);
    for (const status of ["disabled", "active"]) {
      const changed = await owner.patch(`/admin/users/${colleague.id}`, { status });
      expect(changed.status, changed.text).toBe(200);
      expect(await answerOf(draft.slug, token)).toBe(404);
    }
    expect(await answerOf(draft.slug, kept.token)).toBe(200);
  });
});

test.each(["", "x", "a".repeat(255), "%00", "..%2F..%2FPAGE"])(
  "an invented preview token shows nothing: %s",
  async (token) => {
    const { slug, id } = await create("/admin/pages", aPage());
    await editor.post(`/admin/pages/${id}/publish`, undefined);
    await soon(async () => expect((await see(`/pages/${slug}`)).status).toBe(200));
    const reply = await see(`/pages/${slug}?preview=${token}`);
    expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
  },
);

test("a preview token of 256 characters returns 422, and a repeated `preview` parameter returns 404", async () => {
  const tooLong = await see(`/pages/any?preview=${"a".repeat(256)}`);
  expect([tooLong.status, Object.keys(tooLong.body.errors ?? {})]).toEqual([422, ["preview"]]);
  expect((await see("/pages/any?preview=a&preview=b")).status).toBe(404);
});

test("a preview link leads to the path that the SEO settings define for pages", async () => {
  const owner = await office.colleague("owner");
  const { data } = (await owner.get<Data<{ paths: object }>>("/admin/settings/seo")).body;
  const paths = { ...data.paths, page: "/info/{slug}.html" };
  const saved = await owner.put("/admin/settings/seo", { ...data, paths });
  expect(saved.status, saved.text).toBe(200);
  const draft = await create("/admin/pages", aPage());
  const { url } = await linkOf(`/admin/pages/${draft.id}`);
  expect(url.pathname).toBe(`/info/${draft.slug}.html`);
});

test("a preview link of the homepage shows the homepage's draft, even before its first publication", async () => {
  const { url, token } = await linkOf("/admin/homepage");
  expect(url.pathname).toBe("/");
  const address = `/home?preview=${token}`;
  expect((await see(address)).body.data).toMatchObject({ sections: [] });
  const sections = [{ type: "newsletter", data: { title: "Letters", button: "Go" } }];
  await editor.put("/admin/homepage", { sections });
  const shown = await see(address);
  expect(shown.body.data["sections"]).toMatchObject([{ data: { title: "Letters" } }]);
  expect(shown.headers.get("cache-control")).toBe("private, no-store");
  expect((await see("/home")).body.data).toMatchObject({ sections: [] });
});

test("the activity log records a preview link without its token", async () => {
  const draft = await create("/admin/pages", aPage());

  const { token } = await linkOf(`/admin/pages/${draft.id}`);
  const owner = await office.colleague("owner");
  const log = await owner.get<Data<{ action: string; actor: { id: string } }[]>>(
    `/admin/activity?target=page:${draft.id}`,
  );
  expect(log.body.data[0]).toMatchObject({ action: "page.preview", actor: { id: editor.id } });
  expect(log.text).not.toContain(token);
});
