import { describe, expect, test } from "vitest";
import { noTimes } from "#shared/domain/base/publication-schedule.ts";
import {
  type Announcement,
  type FaqGroup,
  Href,
  Menus,
  announcementAt,
  linkTargets,
  resolveSofaLanding,
} from "#shared/domain/content/content.ts";
import {
  homeReferences,
  pageReferences,
  shownIn,
  storyReferences,
} from "#shared/domain/content/content-references.ts";
import { Home, PublicHome, resolveHome } from "#shared/domain/content/home.ts";
import {
  InteriorStory,
  PublicStory,
  publishStory,
  resolveStory,
  storyTeaser,
} from "#shared/domain/content/interior-story.ts";
import {
  Page,
  PublicPage,
  publishPage,
  railLinks,
  resolvePage,
} from "#shared/domain/content/page.ts";
import { aCard } from "#test/support/shop/builders.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";

const chair = aCard();
const sofa = aCard({ id: anId("sofa"), kind: "sofa", slug: "kochi-sofa" });
const cards = new Map([chair, sofa].map((card) => [card.id, card]));

const picture = { url: "media://rooms/a.webp", alt: "A room", width: 1600, height: 900 };
const item = (id: string) => ({ kind: id.startsWith("sofa") ? "sofa" : "product", id }) as const;

const aStory = (): InteriorStory => ({
  id: anId("story"),
  slug: "a-room-by-the-sea",
  title: "A room by the sea",
  room: "living-room",
  style: null,
  cover: picture,
  body_html: "<p>Light.</p>",
  images: [
    {
      media: picture,
      hotspots: [
        { x: 2_500, y: 4_000, item: item(chair.id) },
        { x: 7_500, y: 6_000, item: item(sofa.id) },
        { x: 0, y: 10_000, item: item(anId("prd", 9)) },
      ],
    },
  ],
  status: "published",
  version: 3,
  published: null,
  ...noTimes,
  published_at: null,
  created_at: noon.toISOString(),
  updated_at: noon.toISOString(),
});

describe("a link leads to", () => {
  const paths = {
    product: "/p/{slug}",
    sofa: "/p/{slug}.html",
    page: "/{slug}",
    story: "/homes/{slug}/",
    category: "/homes/{slug}",
  };
  test.each<[string, string, string[]]>([
    ["the record of its path", "/p/oslo?tab=care#top", ["product oslo"]],
    ["the record whose path matches most closely", "/p/oslo.html", ["sofa oslo"]],
    ["the record of its path, with or without a slash at its end", "/about/", ["page about"]],
    ["nothing where the paths of two kinds are equal", "/homes/by-the-sea", []],
    ["nothing where the slug is missing", "/", []],
    ["nothing for the list of materials", "/sofas/materials", []],
    [
      "the categories and collections of a list",
      "/products?category=beds,desks&sort=price&collection=malabar",
      ["category beds", "category desks", "collection malabar"],
    ],
    ["nothing for a path without a record, if no kind's path matches", "/p/a/b", []],
    ["nothing on another site", "https://elsewhere.test/p/oslo", []],
  ])("%s: %s", (_, href, targets) => {
    expect(linkTargets(href, paths).map(({ kind, slug }) => `${kind} ${slug}`)).toEqual(targets);
  });
});

describe("the announcement bar", () => {
  const bar: Announcement = {
    enabled: true,
    text: "Diwali sale",
    link: null,
    theme: "sale",
    starts_at: "2026-11-01T00:00:00.000+05:30",
    ends_at: "2026-12-01T00:00:00.000+05:30",
  };

  test.each<[string, Partial<Announcement>, string, boolean]>([
    ["is shown within its time window", {}, "2026-11-21T00:00:00Z", true],
    ["is shown from the exact start of its time window", {}, "2026-10-31T18:30:00Z", true],
    ["is hidden before its time window", {}, "2026-10-31T18:29:59Z", false],
    ["is hidden from the exact end of its time window", {}, "2026-11-30T18:30:00Z", false],
    [
      "is shown without start and end",
      { starts_at: null, ends_at: null },
      "1999-01-01T00:00:00Z",
      true,
    ],
    ["is hidden when it is disabled", { enabled: false }, "2026-11-21T00:00:00Z", false],
  ])("%s", (_when, overrides, now, shows) => {
    expect(announcementAt({ ...bar, ...overrides }, new Date(now)) !== null).toBe(shows);
  });
});

describe("the homepage", () => {
  const title = "Seen";
  const home = Home.parse({
    version: 4,
    published_at: noon.toISOString(),
    sections: [
      {
        id: anId("sec", 1),
        type: "product_rail",
        data: { title, link: null, items: [item(chair.id), item(anId("prd", 9))] },
      },
      {
        id: anId("sec", 2),
        type: "product_rail",
        data: { title, link: null, items: [item(anId("prd", 9))] },
      },
      {
        id: anId("sec", 3),
        type: "sofa_feature",
        data: { title, text: null, image: null, item: item(sofa.id) },
      },
      {
        id: anId("sec", 4),
        type: "interior_stories",
        data: { title, stories: [anId("story"), anId("story", 2)] },
      },
      { id: anId("sec", 5), type: "rich_text", data: { title: null, html: "<p>Hello</p>" } },
      { id: anId("sec", 6), type: "faq", data: { title: null, group: "delivery" } },
      { id: anId("sec", 7), type: "faq", data: { title: null, group: "gone" } },
    ],
  });
  const delivery: FaqGroup = { slug: "delivery", title: "Delivery", items: [] };
  const faqs = new Map([[delivery.slug, delivery]]);
  const stories = new Map([[anId("story"), storyTeaser(publishStory(aStory(), noon))]]);

  test("lists each referenced record once", () => {
    expect(shownIn(homeReferences(home))).toEqual({
      cards: [chair.id, anId("prd", 9), sofa.id],
      stories: [anId("story"), anId("story", 2)],
      faqs: ["delivery", "gone"],
    });
  });

  test("omits references to unpublished records, and sections that become empty", () => {
    const shown = resolveHome(home, cards, stories, faqs);
    expect(PublicHome.omit({ seo: true }).parse(shown)).toMatchObject(shown);
    expect(shown.sections).toMatchObject([
      { id: anId("sec", 1), data: { items: [{ id: chair.id }] } },
      { id: anId("sec", 3), data: { item: { id: sofa.id } } },
      { id: anId("sec", 4), data: { stories: [{ slug: "a-room-by-the-sea" }] } },
      { id: anId("sec", 5) },
      { id: anId("sec", 6), data: { group: delivery } },
    ]);
  });

  test("keeps only sections without references if no referenced record is published", () => {
    expect(resolveHome(home, new Map(), new Map(), new Map()).sections).toHaveLength(1);
  });
});

describe("an interior story", () => {
  test("shows product cards at its hotspots and omits unpublished ones", () => {
    const published = publishStory(InteriorStory.parse(aStory()), noon);
    expect(shownIn(storyReferences(published)).cards).toEqual([chair.id, sofa.id, anId("prd", 9)]);
    const shown = resolveStory(published, cards);
    expect(PublicStory.omit({ seo: true }).parse(shown)).toMatchObject(shown);
    expect(shown.images[0]?.hotspots).toMatchObject([
      { x: 2_500, y: 4_000, product: { id: chair.id }, sofa: null },
      { x: 7_500, y: 6_000, product: null, sofa: { id: sofa.id } },
    ]);
  });
});

describe("a page", () => {
  const aPage = (blocks: object[]) =>
    Page.parse({
      id: anId("page"),
      slug: "about",
      title: "About us",
      excerpt: null,
      blocks,
      seo: { title: null, description: null },
      status: "draft",
      version: 1,
      published: null,
      published_at: null,
      created_at: noon.toISOString(),
      updated_at: noon.toISOString(),
    });

  test("has a published copy without staff-only members", () => {
    expect(Object.keys(publishPage(aPage([]), noon)).toSorted()).toEqual([
      "blocks",
      "excerpt",
      "id",
      "published_at",
      "seo",
      "slug",
      "title",
    ]);
  });

  test("shows the cards of its rails, and omits unpublished records and empty blocks", () => {
    const link = { label: "All chairs", href: "/products?category=chairs" };
    const rail = (number: number, ...ids: string[]) => ({
      id: anId("sec", number),
      type: "product_rail",
      data: { title: "On show", link, items: ids.map(item) },
    });
    const gone = anId("prd", 9);
    const page = aPage([
      rail(1, chair.id, gone, sofa.id),
      rail(2, gone),
      { id: anId("sec", 3), type: "faq", data: { title: null, group: "gone" } },
    ]);
    expect(shownIn(pageReferences(page))).toEqual({
      cards: [chair.id, gone, sofa.id],
      stories: [],
      faqs: ["gone"],
    });
    expect(railLinks(page)).toEqual([
      { path: "blocks.0.data.link.href", href: link.href },
      { path: "blocks.1.data.link.href", href: link.href },
    ]);
    const shown = resolvePage(publishPage(page, noon), cards, new Map());
    expect(PublicPage.shape.blocks.parse(shown.blocks)).toMatchObject(shown.blocks);
    expect(shown.blocks).toMatchObject([
      {
        id: anId("sec", 1),
        type: "product_rail",
        data: { title: "On show", link, items: [{ id: chair.id }, { id: sofa.id }] },
      },
    ]);
  });
});

test("the sofa landing page omits references to unpublished records", () => {
  const landing = {
    hero: null,
    intro_html: "",
    featured: [item(sofa.id), item(anId("sofa", 9))],
    usps: [],
    seo: { title: null, description: null },
  };
  expect(resolveSofaLanding(landing, cards).featured).toEqual([sofa]);
});

describe("a link in content", () => {
  test.each([
    "/",
    "/sofas?seats=3",
    "https://example.com/a",
    "mailto:care@example.com",
    "tel:+91",
    "#care",
  ])("may lead to %j", (href) => expect(Href.safeParse(href).success).toBe(true));

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "data:text/html,x",
    "//evil.example",
    "/\\evil.example",
    "http://example.com",
    "https://bank.example@evil.example/",
    "/a\tb",
  ])("cannot lead to %j", (href) => expect(Href.safeParse(href).success).toBe(false));

  test("in a menu cannot be nested deeper than three levels", () => {
    const entry = (children: unknown[]) => ({ label: "Sofas", href: "/sofas", children });
    const header = (menu: unknown) => ({ header: [menu], footer: [], mobile: [], legal: [] });
    expect(Menus.safeParse(header(entry([entry([entry([])])]))).success).toBe(true);
    expect(Menus.safeParse(header(entry([entry([entry([entry([])])])]))).success).toBe(false);
  });
});
