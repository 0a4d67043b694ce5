import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HomeDraft } from "#shared/domain/content/home.ts";
import type { Page } from "#shared/domain/content/page.ts";
import type { Role } from "#shared/domain/staff/role.ts";
import { Roles } from "#shared/storage/staff/roles.ts";
import { put } from "#shared/storage/writes.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { type Data, mark, letTimeCome } from "#test/support/back-office/catalog.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";

let office: BackOffice;
let publisher: StaffClient;
let writer: StaffClient;
beforeAll(async () => {
  office = await openBackOffice({ effects: ["due-orders"] });
  publisher = await office.colleague("content_editor");
  const role = (await office.table.get(Roles, { code: "sales" })) as Role;
  await office.table.write(put(Roles, { ...role, permissions: ["content.view", "content.edit"] }));
  writer = await office.colleague("sales");
});
afterAll(() => office.stop());

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const [tomorrow, dayAfter] = [inSeconds(86_400), inSeconds(2 * 86_400)];
type Answered = Data<Page> & Problem;
const aPage = (overrides: object = {}) => ({ slug: `page-${mark()}`, title: "Sale", ...overrides });
async function create(overrides: object = {}): Promise<Page> {
  const made = await publisher.post<Answered>("/admin/pages", aPage(overrides));
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}
const patch = (by: StaffClient, id: string, body: object) =>
  by.patch<Answered>(`/admin/pages/${id}`, body);
const seen = (slug: string) => clientOf(office.stack.baseUrl).get(`/pages/${slug}`);
const soonStatus = (slug: string, status: number) =>
  waitFor("due-orders", async () => expect((await seen(slug)).status).toBe(status));

test("a page is published and unpublished at the times that staff set, and the activity log names who set the times", async () => {
  const page = await create({ publish_at: tomorrow, unpublish_at: dayAfter });
  expect(page).toMatchObject({ status: "draft", publish_at: tomorrow, unpublish_at: dayAfter });
  expect((await seen(page.slug)).status).toBe(404);
  await letTimeCome(office.table, page.id, "publish");
  await soonStatus(page.slug, 200);
  await letTimeCome(office.table, page.id, "unpublish");
  await soonStatus(page.slug, 404);
  const owner = await office.colleague("owner");
  const log = await owner.get<Data<{ action: string; actor: { id: string } }[]>>(
    `/admin/activity?target=page:${page.id}`,
  );
  expect(log.body.data.map(({ action, actor }) => [action, actor.id])).toEqual([
    ["page.unpublish", publisher.id],
    ["page.publish", publisher.id],
    ["page.create", publisher.id],
  ]);
  const { body } = await publisher.get<Answered>(`/admin/pages/${page.id}`);
  expect(body.data).toMatchObject({ status: "draft", publish_at: null, unpublish_at: null });
});

test("a story and a page with a new slug are published at their publication times, and the page's old slug redirects", async () => {
  const cover = { url: "media://stories/sea.webp", alt: "The room", width: 1_600, height: 900 };
  const room = { slug: `room-${mark()}`, title: "A room", cover };
  const times = { publish_at: tomorrow, unpublish_at: dayAfter };
  const story = await publisher.post<Answered>("/admin/interiors", { ...room, ...times });
  expect(story.status, story.text).toBe(201);
  const page = await create();
  await publisher.post(`/admin/pages/${page.id}/publish`, undefined);
  const slug = `moved-${mark()}`;
  const moved = await patch(publisher, page.id, { slug, publish_at: tomorrow });
  expect(moved.status, moved.text).toBe(200);

  const visitor = clientOf(office.stack.baseUrl);
  const soonStory = (status: number) =>
    waitFor("due-orders", async () =>
      expect((await visitor.get(`/interiors/${room.slug}`)).status).toBe(status),
    );
  await letTimeCome(office.table, story.body.data.id, "publish");
  await letTimeCome(office.table, page.id, "publish");
  await soonStory(200);
  await soonStatus(slug, 200);
  await waitFor("due-orders", async () =>
    expect((await visitor.get<Data<object[]>>("/redirects")).body.data).toContainEqual({
      from: `/pages/${page.slug}`,
      to: `/pages/${slug}`,
      status: 301,
    }),
  );
  await letTimeCome(office.table, story.body.data.id, "unpublish");
  await soonStory(404);
});

test("the homepage is published at its publication time", async () => {
  const sections = [{ type: "newsletter", data: { title: "On time", button: "Go" } }];
  const body = { sections, publish_at: tomorrow };
  const replaced = await publisher.put<Data<HomeDraft>>("/admin/homepage", body);
  expect(replaced.status, replaced.text).toBe(200);
  await letTimeCome(office.table, "homepage", "publish");
  await waitFor("due-orders", async () =>
    expect((await clientOf(office.stack.baseUrl).get("/home")).text).toContain("On time"),
  );
  const { body: after } = await publisher.get<Data<HomeDraft>>("/admin/homepage");
  expect(after.data).toMatchObject({ publish_at: null });
});

describe("a publication time of a page", () => {
  test("is refused in the past, or if the page would be unpublished before it is published", async () => {
    const pathsOf = async (body: object) => {
      const { status, body: problem } = await publisher.post<Problem>("/admin/pages", aPage(body));
      return [status, Object.keys(problem.errors ?? {})];
    };
    expect(await pathsOf({ publish_at: inSeconds(-1) })).toEqual([422, ["publish_at"]]);
    expect(await pathsOf({ unpublish_at: inSeconds(-1) })).toEqual([422, ["unpublish_at"]]);
    expect(await pathsOf({ publish_at: dayAfter, unpublish_at: tomorrow })).toEqual([
      422,
      ["unpublish_at"],
    ]);
    const page = await create({ unpublish_at: tomorrow });
    expect((await patch(publisher, page.id, { publish_at: dayAfter })).status).toBe(422);
  });

  test("is kept by a PUT that omits it, and cleared by null in a PATCH", async () => {
    const page = await create({ publish_at: tomorrow });
    const { slug } = page;
    const replaced = await publisher.put<Answered>(`/admin/pages/${page.id}`, {
      slug,
      title: "Other",
    });
    expect(replaced.body.data).toMatchObject({ title: "Other", publish_at: tomorrow });
    const cleared = await patch(publisher, page.id, { publish_at: null });
    expect(cleared.body.data).toMatchObject({ publish_at: null });
  });

  test("is cleared when staff publish (`publish_at`) or unpublish (`unpublish_at`) the page by hand", async () => {
    const page = await create({ publish_at: tomorrow, unpublish_at: dayAfter });
    const published = await publisher.post<Answered>(`/admin/pages/${page.id}/publish`, undefined);
    expect(published.body.data).toMatchObject({ publish_at: null, unpublish_at: dayAfter });
    const taken = await publisher.post<Answered>(`/admin/pages/${page.id}/unpublish`, undefined);
    expect(taken.body.data).toMatchObject({ publish_at: null, unpublish_at: null });
  });

  test("requires permission to publish, both to set it and to edit a draft that has one", async () => {
    const page = await create();
    const denied = [403, { permission: "content.publish" }];
    const answer = ({ status, body }: { status: number; body: Problem }) => [status, body.details];
    expect(answer(await patch(writer, page.id, { publish_at: tomorrow }))).toEqual(denied);
    expect(answer(await patch(writer, page.id, { unpublish_at: tomorrow }))).toEqual(denied);
    expect((await patch(writer, page.id, { title: "Mine" })).status).toBe(200);

    await patch(publisher, page.id, { publish_at: tomorrow });
    expect(answer(await patch(writer, page.id, { title: "Smuggled" }))).toEqual(denied);
    const home = { sections: [], publish_at: tomorrow };
    expect(answer(await writer.put<Problem>("/admin/homepage", home))).toEqual(denied);
    await patch(publisher, page.id, { publish_at: null });
    expect((await patch(writer, page.id, { title: "Mine again" })).status).toBe(200);
  });
});

describe("a published version", () => {
  test("of a page can be read with its content after the draft has changed", async () => {
    const page = await create({ title: "First" });
    await publisher.post(`/admin/pages/${page.id}/publish`, undefined);
    await patch(publisher, page.id, { title: "Second" });
    const path = `/admin/pages/${page.id}/versions`;
    const { status, body } = await publisher.get<Data<object>>(`${path}/2`);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      version: 2,
      published_at: expect.any(String),
      published_by: publisher.id,
      content: {
        slug: page.slug,
        title: "First",
        excerpt: null,
        blocks: [],
        seo: { title: null, description: null },
      },
    });
    for (const version of ["1", "0", "x", "99999999999"]) {
      expect((await publisher.get(`${path}/${version}`)).status).toBe(404);
    }
    expect((await office.asking()("GET", `${path}/2`)).status).toBe(401);
  });

  test("of the homepage can be read with its content", async () => {
    const sections = [{ type: "newsletter", data: { title: "Kept", button: "Go" } }];
    await publisher.put("/admin/homepage", { sections });
    const published = await publisher.post<Data<HomeDraft>>("/admin/homepage/publish", undefined);
    const { version } = published.body.data;
    const { body } = await publisher.get<Data<object>>(`/admin/homepage/versions/${version}`);
    expect(body.data).toMatchObject({
      version,
      content: { sections: [{ data: { title: "Kept" } }] },
    });
  });
});
