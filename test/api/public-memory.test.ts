// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { families } from "#functions/families.ts";
import { lambdaContext } from "#infra/local/functions/lambda.ts";
import { loadFamily } from "#infra/local/functions/load-function.ts";
import type { Stack } from "#infra/local/stack.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import type { HttpAnswer } from "#shared/http/answers.ts";
import type { Method } from "#shared/http/route.ts";
import { type Data, aProductBody, aSofaBody, mark } from "#test/support/back-office/catalog.ts";
import { type Client, clientOf } from "#test/support/http/client.ts";
import { anEvent } from "#test/support/http/in-process.ts";
import { worldOf, type StaffClient, staffClient } from "#test/support/people/people.ts";
import { elapsed } from "#test/support/stack/memory-clock.ts";
import { startGuardedStack } from "#test/support/stack/shop.ts";
import { type StillClock, stillClock } from "#test/support/stack/clock.ts";
import { tableOpeners } from "#test/support/stack/functions.ts";

/** A public request, by its path template and slug. */
interface Read {
  readonly method?: "GET" | "POST";
  readonly template: string;
  readonly slug?: string;
  readonly body?: object;
}
type Shown = readonly [status: number, text: string];
type ReadBy = (read: Read) => Promise<Shown>;

let clock: StillClock;
let stack: Stack;
let owner: StaffClient;
let visitor: Client;
let otherInstance: ReadBy;
beforeAll(async () => {
  // The clock must be replaced before any function connects to its dependencies.
  clock = stillClock();
  stack = await startGuardedStack({ shop: "planted" });
  owner = await staffClient(stack.baseUrl, worldOf(stack.environment), "owner");
  visitor = clientOf(stack.baseUrl);
  otherInstance = await openInstance();
});
afterAll(async () => {
  await stack.stop();
  clock.restore();
});

const pathOf = ({ template, slug = "" }: Read) => template.replace("{slug}", slug);
const readByGateway: ReadBy = async (read) => {
  const path = pathOf(read);
  const { status, text } = await (read.body ? visitor.post(path, read.body) : visitor.get(path));
  return [status, text];
};

/** Loads the functions once more, with a separate cache, like another Lambda instance. */
async function openInstance(): Promise<ReadBy> {
  const load = async (name: string) => {
    const family = families.find((each) => each.name === name);
    if (!family) throw new Error(`There is no family ${name}`);
    return loadFamily(family, stack.environment, () => ({
      ...tableOpeners,
      elapsed: () => elapsed,
    }));
  };
  const [content, catalog] = [await load("content"), await load("catalog")];
  return async (read) => {
    const { method = "GET", template, slug, body } = read;
    const { handler, ...of } = /^\/(?:products|sofas)/.test(template) ? catalog : content;
    const event = anEvent(`${method} ${apiPrefix}${template}`, {
      path: apiPrefix + pathOf(read),
      ...(slug !== undefined && { params: { slug } }),
      ...(body && { body }),
    });
    // The handler's type does not declare what it returns.
    const answer = (await handler(event, lambdaContext(of, "other"))) as HttpAnswer;
    return [answer.statusCode ?? 0, answer.body ?? ""];
  };
}

type Saved = Record<string, unknown> & { id: string; slug: string };
async function save(method: Method, path: string, body?: object): Promise<Saved> {
  const reply = await owner.ask<Data<Saved>>(method, path, body);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body.data;
}
async function replaceWith(path: string, members: object): Promise<Saved> {
  const { version: _version, ...content } = await save("GET", path);
  return save("PUT", path, { ...content, ...members });
}
async function aDocument(path: string, members: object): Promise<Saved> {
  const made = await save("POST", path, { slug: `kept-${mark()}`, title: "Kept", ...members });
  await save("POST", `${path}/${made.id}/publish`);
  return made;
}
async function publishTitle(path: string, { id }: Saved, title: string): Promise<void> {
  await save("PATCH", `${path}/${id}`, { title });
  await save("POST", `${path}/${id}/publish`);
}
const aStory = () => {
  const cover = { url: "media://a.webp", alt: "A", width: 1, height: 1 };
  return aDocument("/admin/interiors", { cover, body_html: "<p>Light.</p>" });
};
const aSofa = () => save("POST", "/admin/sofas", aSofaBody({ status: "published" }));

interface Kind {
  readonly read: Read;
  /** Changes the record so that the response contains these digits. */
  change(digits: string): Promise<unknown>;
}

const kinds: Readonly<Record<string, () => Promise<Kind>>> = {
  "the homepage": async () => ({
    read: { template: "/home" },
    async change(title) {
      const sections = [{ type: "newsletter", data: { title, button: "Go" } }];
      await save("PUT", "/admin/homepage", { sections });
      await save("POST", "/admin/homepage/publish");
    },
  }),
  "a page": async () => {
    const page = await aDocument("/admin/pages", { blocks: [] });
    return {
      read: { template: "/pages/{slug}", slug: page.slug },
      change: (title) => publishTitle("/admin/pages", page, title),
    };
  },
  "a story": async () => {
    const story = await aStory();
    return {
      read: { template: "/interiors/{slug}", slug: story.slug },
      change: (title) => publishTitle("/admin/interiors", story, title),
    };
  },
  "the list of stories": async () => {
    const story = await aStory();
    return {
      read: { template: "/interiors" },
      change: (title) => publishTitle("/admin/interiors", story, title),
    };
  },
  "the list of FAQ groups": async () => ({
    read: { template: "/faqs" },
    change: (title) => save("POST", "/admin/faqs", { slug: `kept-${mark()}`, title, items: [] }),
  }),
  "the list of redirects": async () => ({
    read: { template: "/redirects" },
    change: (digits) => save("POST", "/admin/redirects", { from: `/${digits}`, to: "/sofas" }),
  }),
  "a menu": async () => ({
    read: { template: "/bootstrap" },
    change: (label) =>
      replaceWith("/admin/menus", { legal: [{ label, href: "/sofas", children: [] }] }),
  }),
  "the announcement": async () => ({
    read: { template: "/bootstrap" },
    change: (text) => save("PUT", "/admin/announcement", { enabled: true, text, theme: "sale" }),
  }),
  "the shop's name": async () => ({
    read: { template: "/bootstrap" },
    change: (name) => replaceWith("/admin/settings/store", { name }),
  }),
  "the default title of pages": async () => ({
    read: { template: "/bootstrap" },
    change: (default_title) => replaceWith("/admin/settings/seo", { default_title }),
  }),
  "a product": async () => {
    const { id, slug } = await save(
      "POST",
      "/admin/products",
      aProductBody({ status: "published" }),
    );
    return {
      read: { template: "/products/{slug}", slug },
      change: (name) => save("PATCH", `/admin/products/${id}`, { name }),
    };
  },
  "a sofa": async () => {
    const { id, slug } = await aSofa();
    return {
      read: { template: "/sofas/{slug}", slug },
      change: (name) => save("PATCH", `/admin/sofas/${id}`, { name }),
    };
  },
  "the price of a sofa": async () => {
    const { id, slug } = await aSofa();
    return {
      read: {
        method: "POST",
        template: "/sofas/{slug}/price",
        slug,
        body: { configuration: {} },
      },
      change: (digits) => save("PATCH", `/admin/sofas/${id}`, { base_price: Number(digits) }),
    };
  },
};

let number = 7_654_000;

test.each(Object.entries(kinds))(
  "%s changes within five seconds in every function that keeps it in memory, even while no consumer runs",
  async (_kind, prepare) => {
    const { read, change } = await prepare();
    const digits = String((number += 1));
    const readers = [readByGateway, otherInstance];
    const contain = async () =>
      Promise.all(
        readers.map(async (reader) => {
          const [status, text] = await reader(read);
          return [status, text.includes(digits)];
        }),
      );
    await clock.still(async () => {
      const before = await contain();
      await change(digits);
      // Until the cache expires, both instances return the old response.
      expect([before, await contain()]).toEqual([1, 2].map(() => readers.map(() => [200, false])));
      clock.pass(5_000);
      expect(await contain()).toEqual(readers.map(() => [200, true]));
    });
  },
);

test("a page that staff unpublish returns 404 within five seconds in every function that keeps it in memory", async () => {
  const page = await aDocument("/admin/pages", { blocks: [] });
  const read = { template: "/pages/{slug}", slug: page.slug };
  const statuses = async () => [(await readByGateway(read))[0], (await otherInstance(read))[0]];
  await clock.still(async () => {
    expect(await statuses()).toEqual([200, 200]);
    await save("POST", `/admin/pages/${page.id}/unpublish`);
    clock.pass(5_000);
    expect(await statuses()).toEqual([404, 404]);
  });
});

test("an announcement that a function keeps in memory appears and disappears on time, although no write occurs at those times", async () => {
  await clock.still(async () => {
    const after = (ms: number) => new Date(Date.now() + ms).toISOString();
    const text = "Open until late";
    const period = { starts_at: after(60_000), ends_at: after(120_000) };
    await save("PUT", "/admin/announcement", { enabled: true, text, theme: "sale", ...period });
    clock.pass(5_000);
    const shown = [];
    for (const ms of [0, 54_999, 1, 59_999, 1]) {
      clock.pass(ms);
      const [, answer] = await otherInstance({ template: "/bootstrap" });
      shown.push(answer.includes(text));
    }
    expect(shown).toEqual([false, false, true, true, false]);
  });
});
