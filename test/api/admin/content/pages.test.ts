import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Page } from "#shared/domain/content/page.ts";
import type { Role } from "#shared/domain/staff/role.ts";
import { PublishedPages } from "#shared/storage/content/content.ts";
import type { PublishedVersion } from "#shared/storage/content/content-edits.ts";
import { Roles } from "#shared/storage/staff/roles.ts";
import { put } from "#shared/storage/writes.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { clientOf } from "#test/support/http/client.ts";
import { transactionsTogether } from "#test/support/emulators/dynamodb-proxy.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { soon } from "#test/support/stack/wait-until.ts";
import { startProxiedService } from "#test/support/stack/table.ts";
import { type Data, tally } from "#test/support/shop/shopping.ts";
import { type StaffClient, asking } from "#test/support/people/people.ts";

let office: BackOffice;
let editor: StaffClient;
beforeAll(async () => {
  office = await openBackOffice();
  editor = await office.colleague("content_editor");
});
afterAll(() => office.stop());

let number = 0;
const aSlug = () => `page-${(number += 1)}`;
const text = (html: string) => ({ type: "rich_text", data: { html } });
const aPage = (overrides: object = {}) => ({
  slug: aSlug(),
  title: "About us",
  blocks: [text("<p>How it began</p>")],
  ...overrides,
});

type Answered = Data<Page> & Problem;
async function create(overrides: object = {}): Promise<Page> {
  const made = await editor.ask<Answered>("POST", "/admin/pages", aPage(overrides));
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}
const act = (id: string, what: string, headers: Record<string, string> = {}) =>
  editor.ask<Answered>("POST", `/admin/pages/${id}/${what}`, undefined, headers);
const change = (id: string, patch: object, headers: Record<string, string> = {}) =>
  editor.ask<Answered>("PATCH", `/admin/pages/${id}`, patch, headers);
const read = (id: string) => editor.ask<Answered>("GET", `/admin/pages/${id}`);
const seen = (slug: string) =>
  clientOf(office.stack.baseUrl).get<Data<{ title: string }>>(`/pages/${slug}`);
const soonStatus = (slug: string, status: number) =>
  soon(async () => expect((await seen(slug)).status).toBe(status));
const soonSeen = (slug: string, page: object) =>
  soon(async () => expect((await seen(slug)).body.data).toMatchObject(page));
const publishedCopy = (slug: string) => office.table.get(PublishedPages, { slug });
const redirects = async () =>
  (await clientOf(office.stack.baseUrl).get<Data<object[]>>("/redirects")).body.data;

describe("publishing a page", () => {
  test("makes it public, and unpublishing it makes its URL return 404 again", async () => {
    const page = await create();
    expect(page).toMatchObject({
      status: "draft",
      version: 1,
      published: null,
      published_at: null,
    });
    expect((await seen(page.slug)).status).toBe(404);

    const published = await act(page.id, "publish");
    expect(published.status).toBe(200);
    expect(published.body.data).toMatchObject({
      status: "published",
      version: 2,
      published: { slug: page.slug, version: 2 },
      published_at: expect.any(String),
    });
    expect((await seen(page.slug)).body.data).toMatchObject({ id: page.id, title: "About us" });

    const unpublished = await act(page.id, "unpublish");
    expect(unpublished.body.data).toMatchObject({ status: "draft", published: null });
    await soonStatus(page.slug, 404);
    expect((await act(page.id, "publish")).status).toBe(200);
    await soonStatus(page.slug, 200);
  });

  test("is required before the public sees an edit", async () => {
    const page = await create();
    await act(page.id, "publish");
    const edited = await change(page.id, { title: "Edited", blocks: [] });
    expect(edited.body.data).toMatchObject({ status: "published", version: 3, title: "Edited" });
    const before = { title: "About us", blocks: [{ data: { html: "<p>How it began</p>" } }] };
    expect(await publishedCopy(page.slug)).toMatchObject(before);
    expect((await seen(page.slug)).body.data).toMatchObject(before);
    await act(page.id, "publish");
    await soonSeen(page.slug, { title: "Edited", blocks: [] });
  });

  test("does not reveal staff-only members to the public", async () => {
    const page = await create();
    await act(page.id, "publish");
    const names = Object.keys((await seen(page.slug)).body.data);
    expect(names).toEqual(["id", "slug", "title", "excerpt", "blocks", "seo", "published_at"]);
  });
});

describe("page versions", () => {
  test("are created by publishing, and each can be restored into the draft", async () => {
    const page = await create({ title: "First" });
    await act(page.id, "publish");
    await change(page.id, { title: "Second" });
    await act(page.id, "publish");
    const path = `/admin/pages/${page.id}/versions`;
    const listed = await editor.ask<Data<PublishedVersion[]>>("GET", path);
    expect(listed.body.data.map(({ version }) => version)).toEqual([4, 2]);
    expect(listed.body.data[0]).toMatchObject({ published_by: editor.id });

    const restored = await editor.ask<Answered>("POST", `${path}/2/restore`);
    expect(restored.body.data).toMatchObject({ title: "First", version: 5, status: "published" });
    expect((await publishedCopy(page.slug))?.title).toBe("Second");
    await soonSeen(page.slug, { title: "Second" });
    await act(page.id, "publish");
    await soonSeen(page.slug, { title: "First" });
  });

  test("are not created by publishing an unchanged page", async () => {
    const page = await create({ title: "First" });
    const { body } = await act(page.id, "publish");
    expect((await act(page.id, "publish")).body.data).toEqual(body.data);
    const path = `/admin/pages/${page.id}/versions`;
    const listed = await editor.ask<Data<PublishedVersion[]>>("GET", path);
    expect(listed.body.data.map(({ version }) => version)).toEqual([2]);
  });

  test("are paginated by cursor", async () => {
    const page = await create();
    for (let times = 0; times < 3; times++) {
      await change(page.id, { title: `Edition ${times}` });
      await act(page.id, "publish");
    }
    const path = `/admin/pages/${page.id}/versions?per_page=2`;
    type Listed = Data<PublishedVersion[]> & { meta: { next_cursor: string | null } };
    const first = await editor.ask<Listed>("GET", path);
    const cursor = first.body.meta.next_cursor ?? "";
    const second = await editor.ask<Listed>("GET", `${path}&cursor=${cursor}`);
    const versions = [...first.body.data, ...second.body.data].map(({ version }) => version);
    expect(versions).toEqual([7, 5, 3]);
  });
});

describe("a page's slug", () => {
  test("belongs to only one page, whether the page is a draft or published", async () => {
    const page = await create();
    const second = await editor.ask<Answered>("POST", "/admin/pages", aPage({ slug: page.slug }));
    expect([second.status, second.body.code]).toEqual([409, "already_exists"]);
    expect(second.body.details).toEqual({ path: "slug", slug: page.slug });
    const other = await create();
    expect((await change(other.id, { slug: page.slug })).status).toBe(409);
    expect((await read(other.id)).body.data.slug).toBe(other.slug);
  });

  test("can be used by another page once its page has a new slug or is deleted", async () => {
    const page = await create();
    await change(page.id, { slug: aSlug() });
    await create({ slug: page.slug });
    const gone = await create();
    expect((await editor.ask("DELETE", `/admin/pages/${gone.id}`)).status).toBe(204);
    await create({ slug: gone.slug });
  });

  test("changes for the public when the page is published; the old slug then redirects with 301", async () => {
    const page = await create();
    await act(page.id, "publish");
    const [before, after, last] = [page.slug, aSlug(), aSlug()];
    await change(page.id, { slug: after });
    expect((await seen(before)).status).toBe(200);
    expect((await seen(after)).status).toBe(404);
    const thief = await editor.ask<Answered>("POST", "/admin/pages", aPage({ slug: before }));
    expect(thief.status).toBe(409);

    await act(page.id, "publish");
    await soonStatus(before, 404);
    await soonStatus(after, 200);
    const hop = (from: string, to: string) => ({ from, to: `/pages/${to}`, status: 301 });
    await soon(async () =>
      expect(await redirects()).toContainEqual(hop(`/pages/${before}`, after)),
    );

    await change(page.id, { slug: last });
    await act(page.id, "publish");
    await soon(async () =>
      expect(await redirects()).toEqual(
        expect.arrayContaining([hop(`/pages/${before}`, last), hop(`/pages/${after}`, last)]),
      ),
    );

    const heir = await create({ slug: before });
    await act(heir.id, "publish");
    await soonStatus(before, 200);
    await soon(async () =>
      expect(await redirects()).not.toContainEqual(hop(`/pages/${before}`, last)),
    );
  });
});

describe("concurrent editing of a page", () => {
  test("keeps concurrent PATCH requests that change different members", async () => {
    const page = await create();
    const replies = await Promise.all([
      change(page.id, { title: "Mine" }),
      change(page.id, { excerpt: "Yours" }),
      change(page.id, { seo: { title: "Ours", description: null } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await read(page.id)).body.data).toMatchObject({
      title: "Mine",
      excerpt: "Yours",
      seo: { title: "Ours" },
      version: 4,
    });
  });

  test("accepts one of several concurrent PUT requests and refuses the others as conflicts", async () => {
    const service = await startProxiedService(office.stack.environment);
    onTestFinished(service.stop);
    const page = await create();
    const ask = asking(service.baseUrl, editor.token);
    const titles = ["By one", "By two", "By three"];
    const { result: replies } = await service.proxy.disturb(
      transactionsTogether(titles.length),
      () =>
        Promise.all(
          titles.map((title) =>
            ask<Answered>("PUT", `/admin/pages/${page.id}`, {
              ...aPage({ slug: page.slug }),
              title,
            }),
          ),
        ),
    );
    expect(tally(replies)).toEqual({ "200": 1, "412 version_mismatch": 2 });
    const kept = replies.findIndex(({ status }) => status === 200);
    expect((await read(page.id)).body.data).toMatchObject({ version: 2, title: titles[kept] });
  });
});

describe("a saved page", () => {
  test("may omit nullable members and block ids; the missing block ids are generated", async () => {
    const page = await create({
      blocks: [
        text("<p>x</p>"),
        { type: "cta", data: { title: "Come", link: { label: "x", href: "/" } } },
      ],
    });
    expect(page.blocks).toMatchObject([
      { id: expect.stringMatching(/^sec_/), data: { title: null } },
      { id: expect.stringMatching(/^sec_/), data: { text: null } },
    ]);
    const again = await change(page.id, { blocks: page.blocks.toReversed() });
    expect(again.body.data.blocks).toEqual(page.blocks.toReversed());
  });

  test.each<[string, object]>([
    ["blocks.1.data.html", { blocks: [text("x"), { type: "rich_text", data: {} }] }],
    ["blocks.0.type", { blocks: [{ type: "iframe", data: {} }] }],
    ["blocks.0.data.onload", { blocks: [{ type: "rich_text", data: { html: "x", onload: 1 } }] }],
    ["blocks.0.id", { blocks: [{ id: "mine", ...text("x") }] }],
    [
      "blocks.0.data.link.href",
      {
        blocks: [{ type: "cta", data: { title: "x", link: { label: "x", href: "javascript:x" } } }],
      },
    ],
    ["slug", { slug: "No Slug" }],
    ["id", { id: "page_1" }],
    ["status", { status: "published" }],
    ["version", { version: 9 }],
    ["published_at", { published_at: new Date().toISOString() }],
  ])("is refused at the path %s if that member is invalid", async (path, overrides) => {
    const refused = await editor.ask<Answered>("POST", "/admin/pages", aPage(overrides));
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors ?? {})).toEqual([path]);
  });

  test("is refused at the path of a text that exceeds its limit after sanitising", async () => {
    const blocks = [text("&".repeat(20_000))];
    const refused = await editor.ask<Answered>("POST", "/admin/pages", aPage({ blocks }));
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([
      422,
      ["blocks.0.data.html"],
    ]);
  });

  test("is replaced by PUT and merged by PATCH; null in a PATCH clears the member", async () => {
    const page = await create({ excerpt: "Short", seo: { title: "T" } });
    expect((await change(page.id, { title: "New" })).body.data).toMatchObject({
      excerpt: "Short",
      seo: { title: "T" },
      title: "New",
    });
    expect((await change(page.id, { excerpt: null })).body.data.excerpt).toBeNull();
    await change(page.id, { excerpt: "Again" });
    const replaced = await editor.ask<Answered>("PUT", `/admin/pages/${page.id}`, {
      slug: page.slug,
      title: "Bare",
    });
    expect(replaced.body.data).toMatchObject({
      title: "Bare",
      excerpt: null,
      blocks: [],
      seo: { title: null, description: null },
    });
  });
});

describe("the staff list of pages", () => {
  test("contains drafts, newest first, paginated by cursor and filtered by status", async () => {
    const [draft, shown] = [await create(), await create()];
    await act(shown.id, "publish");
    type Listed = Data<Page[]> & { meta: { next_cursor: string } };
    const all = await editor.ask<Listed>("GET", "/admin/pages?per_page=2");
    expect(all.body.data.map(({ id }) => id)).toEqual([shown.id, draft.id]);
    expect(all.body.data[0]).not.toHaveProperty("blocks");
    const next = await editor.ask<Listed>(
      "GET",
      `/admin/pages?per_page=2&cursor=${all.body.meta.next_cursor}`,
    );
    expect(next.body.data).toHaveLength(2);
    const drafts = await editor.ask<Listed>("GET", "/admin/pages?status=draft&per_page=100");
    expect(new Set(drafts.body.data.map(({ status }) => status))).toEqual(new Set(["draft"]));
    expect((await editor.ask("GET", "/admin/pages?cursor=forged")).status).toBe(422);
    expect((await editor.ask("GET", "/admin/pages?status=archived")).status).toBe(422);
  });
});

describe("deleting a page", () => {
  test("removes the page and its versions, and the public gets 404", async () => {
    const page = await create();
    await act(page.id, "publish");
    await soonStatus(page.slug, 200);
    expect((await editor.ask("DELETE", `/admin/pages/${page.id}`)).status).toBe(204);
    await soonStatus(page.slug, 404);
    expect((await read(page.id)).status).toBe(404);
    expect((await editor.ask("GET", `/admin/pages/${page.id}/versions`)).status).toBe(404);
    expect((await editor.ask("DELETE", `/admin/pages/${page.id}`)).status).toBe(404);
  });
});

describe("staff permissions for pages", () => {
  test("to edit do not suffice to delete a published page", async () => {
    const page = await create();

    const role = await office.table.get(Roles, { code: "sales" });
    const permissions = ["content.view" as const, "content.edit" as const];
    await office.table.write(put(Roles, { ...(role as Role), permissions }));
    const writer = await office.colleague("sales");
    const path = `/admin/pages/${page.id}`;
    await act(page.id, "publish");
    const refused = await writer.ask<Problem>("DELETE", path);
    expect([refused.status, refused.body.details]).toEqual([
      403,
      { permission: "content.publish" },
    ]);
    await act(page.id, "unpublish");
    expect((await writer.ask("DELETE", path)).status).toBe(204);
  });
});
