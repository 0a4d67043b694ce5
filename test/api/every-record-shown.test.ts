// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import type { Stack } from "#infra/local/stack.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { mediaScheme } from "#shared/domain/upload/media.ts";
import type { Method, Route } from "#shared/http/route.ts";
import { type Data, mark } from "#test/support/back-office/catalog.ts";
import { everyCallInput, exampleOf, nameOf, send } from "#test/support/calls/every-call.ts";
import { visitPublic } from "#test/support/calls/walk.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { clientOf } from "#test/support/http/client.ts";
import { everyRoute, paramsOf, pathOf } from "#test/support/http/every-route.ts";
import { startGuardedStack } from "#test/support/stack/shop.ts";
import { soon } from "#test/support/stack/wait-until.ts";

type Body = Readonly<Record<string, unknown>>;

// A separate shop, because some calls change shared records.
let stack: Stack;
let prepare: Awaited<ReturnType<typeof everyCallInput>>;
beforeAll(async () => {
  stack = await startGuardedStack({ shop: "planted", effects: ["catalog-index"] });
  prepare = await everyCallInput(stack.baseUrl, stack.environment);
});
afterAll(() => stack.stop());

const routes = everyRoute.map(({ route }) => route);
const ofStaff = routes.filter(({ access, request }) => access.guard === "staff" && request.body);
const call = async (
  route: Route,
  change: (body: Body) => Body,
  params?: Record<string, string>,
) => {
  const { input, proof } = await prepare(route);
  const body = change((input.body ?? {}) as Body);
  const sent = { ...input, ...(params && { params }), body };
  return send(clientOf(stack.baseUrl), route, sent, proof);
};

describe("a picture that is not in the media library", () => {
  const id = newId("med", new Date());
  const unknown = `${mediaScheme}uploads/${id}/original.webp`;
  const picture = { url: unknown, alt: "A room", width: 40, height: 30 };
  const item = { ...picture, id, type: "image", role: "main" };
  const refusal = /picture is not in the media library|media item does not exist/;

  /** The members with a picture, of bodies whose example has none. */
  const pictured: Readonly<Record<string, Body>> = {
    "/admin/products": { media: [item] },
    "/admin/sofas": { media: [item] },
    "/admin/categories": { image: picture },
    "/admin/pages": { blocks: [{ type: "image", data: { image: picture, caption: null } }] },
  };

  /** The members with a picture of a list's POST. A PATCH has the same ones, but its example need not show them. */
  function picturesAt(list: string): Body {
    const creation = routes.find(({ method, path }) => method === "POST" && path === list);
    const example = (creation && exampleOf(creation)) ?? {};
    return Object.fromEntries(
      Object.entries(example).filter(([, value]) => JSON.stringify(value).includes(mediaScheme)),
    );
  }

  /** The body with this picture in the place of every other. */
  const withUnknown = (body: Body): Body =>
    JSON.parse(JSON.stringify(body), (name, value: unknown) =>
      name === "url" && typeof value === "string" ? unknown : value,
    ) as Body;

  const jsonOf = (schema: z.ZodType): string =>
    JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  const withPictures = ofStaff.filter(({ request }) =>
    jsonOf(request.body as z.ZodType).includes("URL of a file of the media library"),
  );

  test.each(withPictures.map((route): [string, Route] => [nameOf(route), route]))(
    "is refused by %s",
    async (_name, route) => {
      const list = route.path.replace(/\/\{\w+\}$/, "");
      const members = { ...picturesAt(list), ...pictured[list] };
      let hasPicture = false;
      const { status, text, body } = await call(route, (of) => {
        const changed = withUnknown({ ...of, ...members });
        hasPicture = JSON.stringify(changed).includes(unknown);
        return changed;
      });
      expect(hasPicture, "Give the example of this body a picture").toBe(true);
      expect([status, text]).toEqual([422, expect.stringMatching(refusal)]);
      expect((body as Problem).code).toBe("validation_failed");
    },
  );
});

/** A value by which staff hide a record, and one by which they show it. */
interface Switch {
  readonly member: string;
  readonly hidden: unknown;
  readonly shown: unknown;
}
const switches: readonly Switch[] = [
  { member: "published", hidden: false, shown: true },
  { member: "visible", hidden: false, shown: true },
  { member: "hidden", hidden: true, shown: false },
  { member: "status", hidden: "draft", shown: "published" },
];

/** How the records of a POST are hidden: by a member of theirs, or until they are published. */
function switchOf({ path, request }: Route): Switch | "publish" | undefined {
  const { body } = request;
  const shape = body instanceof z.ZodObject ? (body.shape as Record<string, z.ZodType>) : {};
  const takes = (name: string, value: unknown) => shape[name]?.safeParse(value).success === true;
  const publishes = routes.some((one) => one.path === `${path}/{id}/publish`);
  return (
    switches.find((by) => takes(by.member, by.hidden) && takes(by.member, by.shown)) ??
    (publishes ? "publish" : undefined)
  );
}

describe("a hidden record", () => {
  const creations = ofStaff
    .filter(({ method, response }) => method === "POST" && response.status === 201)
    .flatMap((route) => {
      const by = switchOf(route);
      return by === undefined ? [] : [[nameOf(route), route, by] as const];
    });

  /** The public routes that name this slug, of all lists and records, and of each resource's record with the slug. */
  async function shownAt(slug: string): Promise<string[]> {
    const client = clientOf(stack.baseUrl);
    const bySlug = routes.filter(
      (route) =>
        route.method === "GET" &&
        route.access.guard === "none" &&
        paramsOf(route).join() === "slug",
    );
    const details = bySlug.map(async (route) => ({
      route,
      reply: await client.send(
        "GET",
        pathOf(route, () => slug),
      ),
    }));
    const found = (await Promise.all(details)).filter(({ reply }) => reply.status === 200);
    const visits = await visitPublic(client);
    const showing = [...visits, ...found].filter(({ reply }) => reply.text.includes(slug));
    return [...new Set(showing.map(({ route }) => nameOf(route)))];
  }

  /** The members by which the public would recognize the record, and those that must be unique. */
  const named = (body: Body, own: string): Body =>
    Object.fromEntries(
      ["slug", "code", "name", "title"].filter((name) => name in body).map((name) => [name, own]),
    );

  async function show(route: Route, by: Switch | "publish", params: Record<string, string>) {
    const find = (method: Method, path: string) =>
      routes.find((one) => one.method === method && one.path.replace(/\{\w+\}/, "{}") === path);
    const showing =
      by === "publish"
        ? find("POST", `${route.path}/{}/publish`)
        : find("PATCH", `${route.path}/{}`);
    if (!showing) throw new Error(`No route shows the records of ${nameOf(route)}`);
    const change = by === "publish" ? {} : { [by.member]: by.shown };
    const [variable = "id"] = paramsOf(showing);
    const id = params[variable] ?? params["slug"] ?? "";
    return call(showing, () => change, { [variable]: id });
  }

  test.each(creations)(
    "that %s created appears in no public answer, until it is shown",
    async (_name, route, by) => {
      const own = `hidden-${mark()}`;
      const created = await call(route, (body) => ({
        ...body,
        ...named(body, own),
        ...(by !== "publish" && { [by.member]: by.hidden }),
      }));
      expect([created.status, created.text]).toEqual([201, expect.stringContaining(own)]);
      expect(await shownAt(own)).toEqual([]);

      const { data } = created.body as Data<Record<string, string>>;
      const shown = await show(route, by, data);
      expect([shown.status, shown.text]).toEqual([200, expect.anything()]);
      await soon(async () => expect(await shownAt(own)).not.toEqual([]));
    },
  );
});
