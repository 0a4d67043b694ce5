import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Redirect } from "#shared/domain/content/redirect.ts";
import { readRedirects } from "#shared/storage/content/redirects.ts";
import { putSettings } from "#shared/storage/settings/put-settings.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aStore } from "#test/support/shop/commerce.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, tally } from "#test/support/shop/shopping.ts";
import { soon } from "#test/support/stack/wait-until.ts";
import type { StaffClient } from "#test/support/people/people.ts";

let office: BackOffice;
let editor: StaffClient;
beforeAll(async () => {
  office = await openBackOffice();
  editor = await office.colleague("content_editor");
  const store = aStore({ redirect_hosts: ["blog.example.com"] });
  await office.table.write(putSettings("store", store, 2));
});
afterAll(() => office.stop());

type Named = Redirect & { id: string; version: number };
type Answered = Data<Named> & Problem;
let number = 0;
const aPath = () => `/old-${(number += 1)}`;
const post = (from: string, to: string, status?: number) =>
  editor.ask<Answered>("POST", "/admin/redirects", { from, to, ...(status && { status }) });
async function create(from: string, to: string): Promise<Named> {
  const made = await post(from, to);
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}
const on = (
  method: "GET" | "PUT" | "PATCH" | "DELETE",
  id: string,
  body?: object,
  headers: Record<string, string> = {},
) => editor.ask<Answered>(method, `/admin/redirects/${id}`, body, headers);
const seen = async () =>
  (await clientOf(office.stack.baseUrl).get<Data<Redirect[]>>("/redirects")).body.data;

test("a redirect is active from when it is saved until it is deleted", async () => {
  const from = aPath();
  const made = await post(from, "/sofas", 302);
  const { id } = made.body.data;
  expect([made.status, made.headers.get("location")]).toEqual([
    201,
    `/api/v1/admin/redirects/${id}`,
  ]);
  await soon(async () => expect(await seen()).toContainEqual({ from, to: "/sofas", status: 302 }));
  expect((await on("GET", id)).body.data).toEqual(made.body.data);
  expect((await on("PATCH", id, { to: "/products" })).body.data).toMatchObject({
    id,
    from,
    to: "/products",
    status: 302,
  });
  expect((await on("PUT", id, { from, to: "/new" })).body.data.status).toBe(301);
  expect((await on("DELETE", id)).status).toBe(204);
  await soon(async () =>
    expect(await seen()).not.toContainEqual(expect.objectContaining({ from })),
  );
  expect((await on("GET", id)).status).toBe(404);
  expect((await on("PATCH", id, { to: "/" })).status).toBe(404);
});

describe("adding a redirect", () => {
  test.each([
    "/sofas?tab=care",
    "https://shop.example.com/anywhere",
    "https://blog.example.com/post",
  ])("accepts the target %s", async (to) => {
    expect((await post(aPath(), to)).status).toBe(201);
  });

  test.each([
    "https://evil.example/",
    "/sofas/../admin",
    "/sofas/%2e%2e/admin",
    "https://shop.example.com/a/./b",
    "/a%00",
    "/a\u202eb",
  ])("refuses the target %s with 422 at the path `to`", async (to) => {
    const refused = await post(aPath(), to);
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ["to"]]);
  });

  test.each<[string, object]>([
    ["from", { from: "https://shop.example.com/a" }],
    ["from", { from: "//evil.example" }],
    ["from", { from: "/api/v1/products" }],
    ["from", { from: "/Docs/api" }],
    ["from", { from: "/docs" }],
    ["from", { from: "/web%68ooks/payments/stripe" }],
    ["from", { from: "/a%00b" }],
    ["from", { from: "/a\u202eb" }],
    ["from", { from: "/a%E2%80%8Bb" }],
    ["status", { status: 307 }],
    ["id", { id: "rdr_1" }],
  ])("is refused at the path %s if that member is invalid", async (path, overrides) => {
    const body = { from: aPath(), to: "/", ...overrides };
    const refused = await editor.ask<Answered>("POST", "/admin/redirects", body);
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, [path]]);
  });
});

describe("redirect chains", () => {
  test("are flattened to one hop, in whichever order they are added", async () => {
    const [a, b, c, d] = [aPath(), aPath(), aPath(), aPath()] as const;
    await create(b, c);
    const { id } = await create(a, b);
    await create(c, d);
    await soon(async () =>
      expect(await seen()).toEqual(
        expect.arrayContaining([a, b, c].map((from) => ({ from, to: d, status: 301 }))),
      ),
    );
    expect((await on("GET", id)).body.data).toMatchObject({ from: a, to: b, version: 1 });
  });

  test("are refused if they form a loop", async () => {
    const [a, b, c] = [aPath(), aPath(), aPath()] as const;
    for (const to of [a, a.toUpperCase(), `${a}/`]) {
      const loop = await post(a, to);
      expect([loop.status, Object.keys(loop.body.errors ?? {})]).toEqual([422, ["to"]]);
    }
    await create(a, b);
    await create(b, c);
    const before = await readRedirects(office.table);
    const circle = await post(c, a);
    expect([circle.status, Object.keys(circle.body.errors ?? {})]).toEqual([422, ["to"]]);
    expect(await readRedirects(office.table)).toEqual(before);
  });
});

describe("a redirect's source path", () => {
  test("has only one redirect, also after a change", async () => {
    const from = aPath();
    await post(from, "/sofas");
    expect((await post(`${from.toUpperCase()}/`, "/x")).status).toBe(409);
    const other = await create(aPath(), "/x");
    const taken = await on("PATCH", other.id, { from });
    expect([taken.status, taken.body.details]).toEqual([409, { path: "from", from }]);
  });

  test("determines the redirect's id", async () => {
    const { id } = await create(aPath(), "/x");
    const moved = await on("PATCH", id, { from: aPath() });
    expect(moved.body.data.id).not.toBe(id);
    expect((await on("GET", id)).status).toBe(404);
    expect((await on("GET", moved.body.data.id)).status).toBe(200);
  });
});

describe("concurrent editing of redirects", () => {
  test("keeps all redirects that are added concurrently", async () => {
    const paths = Array.from({ length: 5 }, aPath);
    const replies = await Promise.all(paths.map((from) => post(from, "/sofas")));
    expect(tally(replies)).toEqual({ "201": 5 });
    await soon(async () =>
      expect((await seen()).map(({ from }) => from)).toEqual(expect.arrayContaining(paths)),
    );
  });

  test("causes no conflict between changes of different redirects", async () => {
    const [one, other] = [await create(aPath(), "/x"), await create(aPath(), "/x")];
    const tag = { "if-match": `"v${one.version}"` };
    expect((await on("PATCH", other.id, { to: "/theirs" })).status).toBe(200);
    const mine = await on("PATCH", one.id, { to: "/mine" }, tag);
    expect([mine.status, mine.headers.get("etag")]).toEqual([200, '"v2"']);
  });

  test("never creates a loop", async () => {
    const [a, b, c] = [aPath(), aPath(), aPath()] as const;
    const replies = await Promise.all([post(a, b), post(b, c), post(c, a)]);
    expect(tally(replies)).toEqual({ "201": 2, "422 validation_failed": 1 });
    await soon(async () => {
      const redirects = await seen();
      const starts = new Set(redirects.map(({ from }) => from));
      expect([a, b, c].filter((path) => starts.has(path))).toHaveLength(2);
      expect(redirects.filter(({ to }) => starts.has(to))).toEqual([]);
    });
  });
});

describe("an address that is written in another way", () => {
  test("is the same address for duplicates and loops, over the storefront's host too", async () => {
    const path = aPath();
    await create(`${path}/caf%C3%A9`, "/sofas");
    expect((await post(`${path}/café`, "/sofas")).status).toBe(409);
    const { storefront_url } = aStore();
    for (const [from, to] of [
      [`${path}/%72-self`, `${path}/r-self`],
      [`${path}/r-self`, `${storefront_url}${path}/%72-self`],
    ] as const) {
      const { status, body } = await post(from, to);
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["to"]]);
    }
  });
});

test("redirects, old addresses and the links of menus and of the announcement follow the setting of the storefront's paths", async () => {
  const page = { slug: "our-team", title: "Our team", blocks: [] };
  expect((await editor.ask("POST", "/admin/pages", page)).status).toBe(201);
  const { from } = await create(aPath(), "/pages/our-team?tab=all");
  const owner = await office.colleague("owner");
  const path = "/admin/settings/seo";
  const item = { label: "Team", href: "/pages/our-team", children: [] };
  const header = [
    {
      ...item,
      children: [
        { ...item, href: "/pages/our-team#jobs" },
        { ...item, href: "/sofas" },
      ],
    },
  ];
  const menus = { header, footer: [], mobile: [], legal: [] };
  const link = { label: "More", href: "/pages/our-team" };
  const announcement = {
    enabled: true,
    text: "Hello",
    link,
    theme: "info",
    starts_at: null,
    ends_at: null,
  };
  expect((await owner.ask("PUT", "/admin/menus", menus)).status).toBe(200);
  expect((await owner.ask("PUT", "/admin/announcement", announcement)).status).toBe(200);
  const { body } = await owner.ask<Data<Record<string, unknown>>>("GET", path);
  const { group: _group, version: _version, ...seo } = body.data;
  const paths = { page: "/about/{slug}" };
  expect((await owner.ask("PUT", path, { ...seo, paths })).status).toBe(200);
  const { redirects } = await readRedirects(office.table);
  expect(redirects.find((redirect) => redirect.from === from)?.to).toBe("/about/our-team?tab=all");
  const old = { from: "/pages/{slug}", to: "/about/{slug}", status: 301 };
  const visitor = clientOf(office.stack.baseUrl);
  await soon(async () => {
    const shown = await visitor.get<Data<Redirect[]>>("/redirects");
    expect(shown.body.data).toContainEqual(old);
    const { data } = (await visitor.get<Data<Record<string, unknown>>>("/bootstrap")).body;
    expect(data).toMatchObject({
      menus: {
        header: [
          {
            href: "/about/our-team",
            children: [{ href: "/about/our-team#jobs" }, { href: "/sofas" }],
          },
        ],
      },
      announcement: { link: { href: "/about/our-team" } },
    });
  });
  expect((await owner.ask("PUT", path, seo)).status).toBe(200);
});
