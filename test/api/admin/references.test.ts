import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sofaId } from "#infra/local/demo/identity.ts";
import type { Stack } from "#infra/local/stack.ts";
import { startGuardedStack } from "#test/support/stack/shop.ts";
import type { Redirect } from "#shared/domain/content/redirect.ts";
import {
  type Data,
  aGroupBody,
  aMaterialBody,
  aProductBody,
  aSofaBody,
  mark,
} from "#test/support/back-office/catalog.ts";
import { type Client, type Reply, clientOf } from "#test/support/http/client.ts";
import { anId } from "#test/support/shop/commerce.ts";
import { worldOf, type StaffClient, staffClient } from "#test/support/people/people.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { tally } from "#test/support/shop/shopping.ts";
import { soon, waitFor, waitUntil } from "#test/support/stack/wait-until.ts";

type Made = Record<string, unknown> & { id: string; slug: string; code: string };

// A separate shop, because these tests change its homepage and menus.
let stack: Stack;
let staff: StaffClient;
let visitor: Client;
beforeAll(async () => {
  stack = await startGuardedStack({ shop: "planted", effects: ["staff-index"] });
  staff = await staffClient(stack.baseUrl, worldOf(stack.environment), "owner");
  visitor = clientOf(stack.baseUrl);
});
afterAll(() => stack.stop());

async function made(path: string, body: object): Promise<Made> {
  const reply = await staff.post<Data<Made>>(path, body);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body.data;
}
const published = (body: object) => ({ ...body, status: "published" });
const aFaqGroup = () => made("/admin/faqs", { slug: `group-${mark()}`, title: "Care", items: [] });
const aPageWith = (group: string) => ({
  slug: `page-${mark()}`,
  title: "About",
  blocks: [{ type: "faq", data: { group } }],
});
const aRailOf = (products: readonly string[], link: object | null = null) => ({
  type: "product_rail",
  data: { link, items: products.map((id) => ({ kind: "product", id })) },
});
const aPageOf = (...blocks: object[]) => ({ slug: `page-${mark()}`, title: "Malabar", blocks });
const aPicture = { url: "media://stories/sea.webp", alt: "The room", width: 1_600, height: 900 };
const aStoryBody = (overrides: object = {}) => ({
  slug: `room-${mark()}`,
  title: "A room",
  cover: aPicture,
  ...overrides,
});
const aRedirectTo = (to: string) => ({ from: `/old-${mark()}`, to });
const linkTo = (href: string) => ({ label: "See it", href });
const aTileTo = (href: string) => ({
  type: "category_grid",
  data: { tiles: [{ label: "See it", href, image: aPicture }] },
});
const usersOf = ({ body }: Reply<Problem>): unknown => {
  const users = (body.details?.["used_by"] ?? []) as { kind: string; id: string }[];
  return users.map(({ kind, id }) => `${kind} ${id}`);
};
/** Runs `during` while the draft of the homepage has this section. */
async function onHomepage<Result>(section: object, during: () => Promise<Result>): Promise<Result> {
  const before = await staff.get<Data<{ sections: object[] }>>("/admin/homepage");
  const { sections } = before.body.data;
  const put = await staff.put("/admin/homepage", { sections: [...sections, section] });
  expect(put.status, put.text).toBe(200);
  try {
    return await during();
  } finally {
    await staff.put("/admin/homepage", { sections });
  }
}

/** Saves the storefront's paths; those that are not named have their defaults. */
async function usePaths(paths: object): Promise<void> {
  const { data } = (await staff.get<Data<object>>("/admin/settings/seo")).body;
  expect((await staff.put("/admin/settings/seo", { ...data, paths })).status).toBe(200);
}

const demoSofa = sofaId("Saanjh Sofa");

describe("saving a reference to a record that does not exist returns 422", () => {
  const cloth = aGroupBody("cover", ["no-such-cloth"], {
    input: "material",
    required: true,
    default: "no-such-cloth",
  });
  test.each<[string, "POST" | "PUT", string, () => object]>([
    [
      "related_ids.0",
      "POST",
      "/admin/products",
      () => aProductBody({ related_ids: [anId("prd", 7)] }),
    ],
    ["related_ids.0", "POST", "/admin/sofas", () => aSofaBody({ related_ids: [anId("sofa", 7)] })],
    [
      "option_groups.0.values.0.code",
      "POST",
      "/admin/sofas",
      () => aSofaBody({ option_groups: [cloth] }),
    ],
    ["category_slug", "POST", "/admin/products", () => aProductBody({ category_slug: "nowhere" })],
    ["blocks.0.data.group", "POST", "/admin/pages", () => aPageWith("no-such-group")],
    ["blocks.0.data.items.0.id", "POST", "/admin/pages", () => aPageOf(aRailOf([anId("prd", 7)]))],
    [
      "sections.0.data.group",
      "PUT",
      "/admin/homepage",
      () => ({ sections: [{ type: "faq", data: { group: "no-such-group" } }] }),
    ],
    [
      "footer.0.children.0.href",
      "PUT",
      "/admin/menus",
      () => ({
        header: [],
        mobile: [],
        legal: [],
        footer: [
          {
            label: "Shop",
            href: "/sofas",
            children: [{ label: "Gone", href: "/pages/nowhere", children: [] }],
          },
        ],
      }),
    ],
    ["tax_class", "POST", "/admin/products", () => aProductBody({ tax_class: "nothing" })],
    ["tax_class", "POST", "/admin/sofas", () => aSofaBody({ tax_class: "nothing" })],
    ["room", "POST", "/admin/interiors", () => aStoryBody({ room: "modern-indian" })],
    ["style", "POST", "/admin/interiors", () => aStoryBody({ style: "living-room" })],
    ["to", "POST", "/admin/redirects", () => aRedirectTo("/pages/nowhere")],
    ["to", "POST", "/admin/redirects", () => aRedirectTo("/products/nowhere")],
    ["to", "POST", "/admin/redirects", () => aRedirectTo("/sofas/nowhere?tab=care")],
    ["to", "POST", "/admin/redirects", () => aRedirectTo("/interiors/nowhere#pictures")],
    ["to", "POST", "/admin/redirects", () => aRedirectTo("/categories/nowhere/")],
    ["to", "POST", "/admin/redirects", () => aRedirectTo("/products?sort=price&category=nowhere")],
    ["to", "POST", "/admin/redirects", () => aRedirectTo("/products?collection=malabar,nowhere")],
    [
      "link.href",
      "PUT",
      "/admin/announcement",
      () => ({ enabled: true, text: "Sale", theme: "sale", link: linkTo("/products/nowhere") }),
    ],
    [
      "sections.0.data.tiles.0.href",
      "PUT",
      "/admin/homepage",
      () => ({ sections: [aTileTo("/products?category=nowhere")] }),
    ],
    [
      "applies_to.product_ids.0",
      "POST",
      "/admin/coupons",
      () => ({
        code: "NOTHING",
        benefit: { kind: "fixed", amount: 100 },
        applies_to: { product_ids: [anId("prd", 7)] },
      }),
    ],
    [
      "boosts.0.targets.1",
      "PUT",
      "/admin/settings/search",
      () => ({
        synonyms: [],
        boosts: [{ query: "sofa", targets: [demoSofa, anId("prd", 7)] }],
        hidden: [],
      }),
    ],
    [
      "hidden.0",
      "PUT",
      "/admin/settings/search",
      () => ({ synonyms: [], boosts: [], hidden: [anId("sofa", 7)] }),
    ],
  ])("at %s for %s %s", async (path, method, address, body) => {
    const reply =
      method === "POST"
        ? await staff.post<Problem>(address, body())
        : await staff.put<Problem>(address, body());
    expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([422, [path]]);
  });
});

test("a fabric composition that does not add up to 100 percent is refused", async () => {
  const parts = (...shares: number[]) =>
    aMaterialBody({ composition: shares.map((share_bps) => ({ name: "Wool", share_bps })) });
  const refused = await staff.post<Problem>("/admin/materials", parts(6_000, 3_999));
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ["composition"]]);
  expect((await staff.post("/admin/materials", parts(6_000, 4_000))).status).toBe(201);
  expect((await staff.post("/admin/materials", parts())).status).toBe(201);
});

describe("a record that is referenced", () => {
  test("cannot be deleted: a material that is a published sofa's default, until the default changes", async () => {
    const [one, other] = [
      await made("/admin/materials", published(aMaterialBody())),
      await made("/admin/materials", published(aMaterialBody())),
    ];
    const cover = (usual: string) =>
      aGroupBody("cover", [one.code, other.code], {
        input: "material",
        required: true,
        default: usual,
      });
    const sofa = await made(
      "/admin/sofas",
      published(aSofaBody({ option_groups: [cover(one.code)] })),
    );
    const path = `/admin/materials/${one.id}`;
    for (const attempt of [
      await staff.delete<Problem>(path),
      await staff.patch<Problem>(path, { status: "archived" }),
      await staff.patch<Problem>(path, { status: "draft" }),
    ]) {
      expect([attempt.status, attempt.body.code, usersOf(attempt)]).toEqual([
        409,
        "in_use",
        [`sofa ${sofa.id}`],
      ]);
    }
    const moved = await staff.patch(`/admin/sofas/${sofa.id}`, {
      option_groups: [cover(other.code)],
    });
    expect(moved.status, moved.text).toBe(200);
    expect((await staff.delete(path)).status).toBe(204);
  });

  test("cannot be deleted or renamed: an FAQ group in a page's draft or published copy", async () => {
    const group = await aFaqGroup();
    const page = await made("/admin/pages", aPageWith(group.slug));
    await made(`/admin/pages/${page.id}/publish`, {});
    const path = `/admin/faqs/${group.slug}`;
    const users = [`page ${page.id}`];
    const refused = await staff.delete<Problem>(path);
    expect([refused.status, refused.body.code, usersOf(refused)]).toEqual([409, "in_use", users]);
    await staff.patch(`/admin/pages/${page.id}`, { blocks: [] });
    expect(usersOf(await staff.delete<Problem>(path))).toEqual(users);
    const renamed = await staff.patch<Problem>(path, { slug: `${group.slug}-new` });
    expect([renamed.status, usersOf(renamed)]).toEqual([409, users]);
    expect((await staff.patch(path, { title: "Caring" })).status).toBe(200);
    await made(`/admin/pages/${page.id}/publish`, {});
    expect((await staff.delete(path)).status).toBe(204);
  });

  test("cannot be deleted: a product in a rail of a page's draft or published copy", async () => {
    const [shown, other] = [
      await made("/admin/products", published(aProductBody())),
      await made("/admin/products", aProductBody()),
    ];
    const page = await made("/admin/pages", aPageOf(aRailOf([shown.id, other.id])));
    const path = `/admin/pages/${page.id}`;
    await made(`${path}/publish`, {});
    expect((await staff.patch(path, { blocks: [] })).status).toBe(200);
    const refused = await staff.delete<Problem>(`/admin/products/${other.id}`);
    expect([refused.status, usersOf(refused)]).toEqual([409, [`page ${page.id}`]]);
    // What a rail shows may be archived: the rail leaves it out.
    expect((await staff.patch(`/admin/products/${shown.id}`, { status: "archived" })).status).toBe(
      200,
    );
    await made(`${path}/publish`, {});
    expect((await staff.delete(`/admin/products/${other.id}`)).status).toBe(204);
  });

  test("cannot be deleted or archived: a record to which a page's rail links", async () => {
    const item = await made("/admin/products", published(aProductBody()));
    const linked = await made("/admin/products", published(aProductBody()));
    const collection = await made("/admin/categories", {
      kind: "collection",
      slug: `line-${mark()}`,
      name: "Line",
    });
    const target = await made("/admin/pages", { slug: `page-${mark()}`, title: "About" });
    const page = await made("/admin/pages", { slug: `page-${mark()}`, title: "Malabar" });
    const rails = [
      `/products?collection=${collection.slug}`,
      `/products/${linked.slug}`,
      `/pages/${target.slug}`,
      `/pages/${page.slug}`,
    ].map((href) => aRailOf([item.id], linkTo(href)));
    const path = `/admin/pages/${page.id}`;
    const linking = await staff.patch(path, { blocks: rails });
    expect(linking.status, linking.text).toBe(200);
    for (const attempt of [
      await staff.delete<Problem>(`/admin/categories/${collection.id}`),
      await staff.delete<Problem>(`/admin/products/${linked.id}`),
      await staff.patch<Problem>(`/admin/products/${linked.id}`, { status: "archived" }),
      await staff.delete<Problem>(`/admin/pages/${target.id}`),
    ]) {
      expect([attempt.status, usersOf(attempt)]).toEqual([409, [`page ${page.id}`]]);
    }
    expect((await staff.delete(path)).status).toBe(204);
    expect((await staff.delete(`/admin/categories/${collection.id}`)).status).toBe(204);
  });

  test("cannot be deleted: a draft product in a story's draft or published copy", async () => {
    const product = await made("/admin/products", aProductBody());
    const media = { url: "media://rooms/sea.webp", alt: "The sea", width: 1_600, height: 900 };
    const item = { kind: "product", id: product.id };
    const story = await made("/admin/interiors", {
      slug: `room-${mark()}`,
      title: "A room by the sea",
      cover: media,
      images: [{ media, hotspots: [{ x: 1, y: 2, item }] }],
      body_html: "<p>Light.</p>",
    });
    const path = `/admin/interiors/${story.id}`;
    await made(`${path}/publish`, {});
    expect((await staff.patch(path, { images: [] })).status).toBe(200);
    const refused = await staff.delete<Problem>(`/admin/products/${product.id}`);
    expect([refused.status, usersOf(refused)]).toEqual([409, [`story ${story.id}`]]);
    await made(`${path}/publish`, {});
    expect((await staff.delete(`/admin/products/${product.id}`)).status).toBe(204);
  });

  test(
    "cannot be deleted: an FAQ group, story or draft product on the homepage",
    { tags: "slow" },
    async () => {
      const group = await aFaqGroup();
      const story = await made("/admin/interiors", aStoryBody());
      const product = await made("/admin/products", aProductBody());
      const cases: [string, object][] = [
        [`/admin/faqs/${group.slug}`, { type: "faq", data: { group: group.slug } }],
        [
          `/admin/interiors/${story.id}`,
          { type: "interior_stories", data: { stories: [story.id] } },
        ],
        [
          `/admin/products/${product.id}`,
          { type: "product_rail", data: { items: [{ kind: "product", id: product.id }] } },
        ],
      ];
      for (const [path, section] of cases) {
        const refused = await onHomepage(section, () => staff.delete<Problem>(path));
        expect([path, refused.status, usersOf(refused)]).toEqual([
          path,
          409,
          ["homepage homepage"],
        ]);
        expect((await staff.delete(path)).status).toBe(204);
      }
    },
  );

  test.each(["collection", "room", "style"])(
    "cannot be deleted: a %s of a coupon",
    async (kind) => {
      const place = await made("/admin/categories", {
        kind,
        slug: `place-${mark()}`,
        name: "Place",
      });
      const coupon = await made("/admin/coupons", {
        code: `C${mark().replaceAll("-", "").toUpperCase()}`,
        benefit: { kind: "fixed", amount: 100 },
        applies_to: { categories: [place.slug] },
      });
      const reply = await staff.delete<Problem>(`/admin/categories/${place.id}`);
      expect([reply.status, usersOf(reply)]).toEqual([409, [`coupon ${coupon.id}`]]);
    },
  );

  test("cannot be deleted: a category of a coupon, and a page in a menu", async () => {
    const category = await made("/admin/categories", {
      kind: "category",
      slug: `corner-${mark()}`,
      name: "Corner",
    });
    const coupon = await made("/admin/coupons", {
      code: `C${mark().replaceAll("-", "").toUpperCase()}`,
      benefit: { kind: "fixed", amount: 100 },
      applies_to: { categories: [category.slug] },
    });
    const byCoupon = await staff.delete<Problem>(`/admin/categories/${category.id}`);
    expect([byCoupon.status, usersOf(byCoupon)]).toEqual([409, [`coupon ${coupon.id}`]]);

    const page = await made("/admin/pages", { slug: `page-${mark()}`, title: "About" });
    const menus = (await staff.get<Data<{ legal: object[] }>>("/admin/menus")).body.data;
    const link = { label: "About", href: `/pages/${page.slug}`, children: [] };
    const { version: _version, ...content } = menus as typeof menus & { version: number };
    await staff.put("/admin/menus", { ...content, legal: [...menus.legal, link] });
    const byMenu = await staff.delete<Problem>(`/admin/pages/${page.id}`);
    expect([byMenu.status, usersOf(byMenu)]).toEqual([409, ["menus menus"]]);
    await staff.put("/admin/menus", content);
    expect((await staff.delete(`/admin/pages/${page.id}`)).status).toBe(204);
  });

  test("cannot be deleted or renamed: a room or style of a story, a collection of a sofa", async () => {
    const aCategory = (kind: string) =>
      made("/admin/categories", { kind, slug: `corner-${mark()}`, name: "Corner" });
    const [room, style, collection] = [
      await aCategory("room"),
      await aCategory("style"),
      await aCategory("collection"),
    ];
    const story = await made(
      "/admin/interiors",
      aStoryBody({ room: room.slug, style: style.slug }),
    );
    const sofa = await made("/admin/sofas", aSofaBody({ collection_slug: collection.slug }));
    for (const [category, user] of [
      [room, `story ${story.id}`],
      [style, `story ${story.id}`],
      [collection, `sofa ${sofa.id}`],
    ] as const) {
      const path = `/admin/categories/${category.id}`;
      for (const attempt of [
        await staff.delete<Problem>(path),
        await staff.patch<Problem>(path, { slug: `new-${mark()}` }),
      ]) {
        expect([attempt.status, usersOf(attempt)]).toEqual([409, [user]]);
      }
    }
  });

  test("cannot be deleted: a category with child categories", async () => {
    const parent = await made("/admin/categories", {
      kind: "category",
      slug: `shelf-${mark()}`,
      name: "Shelf",
    });
    const child = await made("/admin/categories", {
      kind: "category",
      slug: `nook-${mark()}`,
      name: "Nook",
      parent_id: parent.id,
    });
    const refused = await staff.delete<Problem>(`/admin/categories/${parent.id}`);
    expect([refused.status, usersOf(refused)]).toEqual([409, [`category ${child.id}`]]);
  });

  test("cannot be deleted: a draft product in another product's related items", async () => {
    const draft = await made("/admin/products", aProductBody());
    const other = await made("/admin/products", aProductBody({ related_ids: [draft.id] }));
    const refused = await staff.delete<Problem>(`/admin/products/${draft.id}`);
    expect([refused.status, usersOf(refused)]).toEqual([409, [`product ${other.id}`]]);
    await staff.patch(`/admin/products/${other.id}`, { related_ids: [] });
    expect((await staff.delete(`/admin/products/${draft.id}`)).status).toBe(204);
  });

  test(
    "cannot be deleted: a draft that the settings of search boost or hide",
    { tags: "slow" },
    async () => {
      const save = async (settings: object) => {
        const put = await staff.put("/admin/settings/search", {
          synonyms: [],
          boosts: [],
          hidden: [],
          ...settings,
        });
        expect(put.status, put.text).toBe(200);
      };
      const product = await made("/admin/products", aProductBody());
      const sofa = await made("/admin/sofas", aSofaBody());
      for (const [path, settings] of [
        [`/admin/products/${product.id}`, { boosts: [{ query: "stool", targets: [product.id] }] }],
        [`/admin/sofas/${sofa.id}`, { hidden: [sofa.id] }],
      ] as const) {
        await save(settings);
        const refused = await staff.delete<Problem>(path);
        expect([refused.status, refused.body.code, usersOf(refused)]).toEqual([
          409,
          "in_use",
          ["settings search"],
        ]);
        await save({});
        expect((await staff.delete(path)).status).toBe(204);
      }
    },
  );

  test(
    "cannot be deleted: a draft or published record that the homepage or announcement links to",
    { tags: "slow" },
    async () => {
      const draft = await made("/admin/products", aProductBody());
      const shown = await made("/admin/sofas", published(aSofaBody()));
      const story = await made("/admin/interiors", aStoryBody());
      const collection = await made("/admin/categories", {
        kind: "collection",
        slug: `line-${mark()}`,
        name: "Line",
      });
      const cases = [
        [`/admin/products/${draft.id}`, `/products/${draft.slug}`],
        [`/admin/sofas/${shown.id}`, `/sofas/${shown.slug}?tab=care`],
        [`/admin/interiors/${story.id}`, `/interiors/${story.slug}`],
        [`/admin/categories/${collection.id}`, `/products?collection=${collection.slug}`],
      ] as const;
      const bar = { enabled: false, text: "Look", theme: "info" };
      for (const [path, href] of cases) {
        const onHome = await onHomepage(aTileTo(href), () => staff.delete<Problem>(path));
        expect([path, onHome.status, usersOf(onHome)]).toEqual([path, 409, ["homepage homepage"]]);
        const put = await staff.put("/admin/announcement", { ...bar, link: linkTo(href) });
        expect(put.status, put.text).toBe(200);
        const inBar = await staff.delete<Problem>(path);
        expect([path, inBar.status, usersOf(inBar)]).toEqual([
          path,
          409,
          ["announcement announcement"],
        ]);
        await staff.put("/admin/announcement", { ...bar, link: null });
        expect((await staff.delete(path)).status).toBe(204);
      }
      const gone = await staff.post<Problem>(
        "/admin/redirects",
        aRedirectTo(`/sofas/${shown.slug}`),
      );
      expect([gone.status, Object.keys(gone.body.errors ?? {})]).toEqual([422, ["to"]]);
    },
  );

  test(
    "cannot be deleted: a record that is linked at the path that the settings give its page",
    { tags: "slow" },
    async () => {
      const sofa = await made("/admin/sofas", published(aSofaBody()));
      const category = await made("/admin/categories", {
        kind: "category",
        slug: `kind-${mark()}`,
        name: "Kind",
      });
      const page = await made("/admin/pages", { slug: `page-${mark()}`, title: "About" });
      await usePaths({ sofa: "/couches/{slug}.html", category: "/shop/{slug}/", page: "/{slug}" });
      onTestFinished(() => usePaths({}));
      // The storefront's own pages are no records.
      await made("/admin/redirects", aRedirectTo("/cart"));
      const unknown = await staff.post<Problem>(
        "/admin/redirects",
        aRedirectTo("/couches/no.html"),
      );
      expect([unknown.status, unknown.body.errors]).toEqual([
        422,
        { to: ["There is no such sofa."] },
      ]);
      const cases = [
        [`/admin/sofas/${sofa.id}`, `/couches/${sofa.slug}.html?tab=care`],
        [`/admin/categories/${category.id}`, `/shop/${category.slug}`],
        [`/admin/pages/${page.id}`, `/${page.slug}`],
      ] as const;
      for (const [path, href] of cases) {
        const refused = await onHomepage(aTileTo(href), () => staff.delete<Problem>(path));
        expect([path, refused.status, usersOf(refused)]).toEqual([
          path,
          409,
          ["homepage homepage"],
        ]);
        expect((await staff.delete(path)).status).toBe(204);
      }
    },
  );

  test("cannot be deleted: a tax class of a product, even of a draft", async () => {
    type Tax = { zones: { classes: Record<string, unknown> }[]; version: number };
    const { version: _version, ...tax } = (await staff.get<Data<Tax>>("/admin/settings/tax")).body
      .data;
    const zones = tax.zones.map((zone) => ({
      ...zone,
      classes: { ...zone.classes, crafts: Object.values(zone.classes)[0] },
    }));
    expect((await staff.put("/admin/settings/tax", { ...tax, zones })).status).toBe(200);
    const product = await made("/admin/products", aProductBody({ tax_class: "crafts" }));
    const refused = await staff.put<Problem>("/admin/settings/tax", tax);
    expect([refused.status, usersOf(refused)]).toEqual([409, [`product ${product.id}`]]);
    await staff.patch(`/admin/products/${product.id}`, { tax_class: "furniture" });
    expect((await staff.put("/admin/settings/tax", tax)).status).toBe(200);
    const unknown = await staff.put<Problem>("/admin/settings/tax", {
      ...tax,
      shipping_class: "crafts",
    });
    expect([unknown.status, Object.keys(unknown.body.errors ?? {})]).toEqual([
      422,
      ["shipping_class"],
    ]);
  });

  test("cannot be deleted: a redirect host in the settings that a redirect targets", async () => {
    type Store = { redirect_hosts: string[]; version: number };
    const { version: _version, ...store } = (await staff.get<Data<Store>>("/admin/settings/store"))
      .body.data;
    const redirect_hosts = [...store.redirect_hosts, "outlet.example"];
    const put = await staff.put("/admin/settings/store", { ...store, redirect_hosts });
    expect(put.status, put.text).toBe(200);
    // Functions cache settings for two seconds.
    const redirect = await waitUntil(
      () => made("/admin/redirects", aRedirectTo("https://outlet.example/sale")),
      { interval: 200 },
    );
    const refused = await staff.put<Problem>("/admin/settings/store", store);
    expect([refused.status, usersOf(refused)]).toEqual([409, [`redirect ${redirect.id}`]]);
    await staff.delete(`/admin/redirects/${redirect.id}`);
    expect((await staff.put("/admin/settings/store", store)).status).toBe(200);
    const late = await staff.post<Problem>(
      "/admin/redirects",
      aRedirectTo("https://outlet.example/sale"),
    );
    expect([late.status, Object.keys(late.body.errors ?? {})]).toEqual([422, ["to"]]);
  });

  test("cannot be deleted concurrently with a new reference to it: one of the two requests is refused", async () => {
    for (let round = 0; round < 8; round++) {
      const { slug } = await aFaqGroup();
      const [named, gone] = await Promise.all([
        staff.post<Problem>("/admin/pages", aPageWith(slug)),
        staff.delete<Problem>(`/admin/faqs/${slug}`),
      ]);
      expect([
        ["201", "409 in_use"],
        ["204", "422 validation_failed"],
      ]).toContainEqual(Object.keys(tally([named, gone])).toSorted());
    }
  });
});

test("a rail of a page shows the cards of its products", async () => {
  const draft = await made("/admin/products", aProductBody());
  const items = [
    { kind: "product", id: draft.id },
    { kind: "sofa", id: demoSofa },
  ];
  const page = await made("/admin/pages", aPageOf({ type: "product_rail", data: { items } }));
  await made(`/admin/pages/${page.id}/publish`, {});
  type Rails = { type: string; data: { items: object[] } }[];
  const { body } = await visitor.get<Data<{ blocks: Rails }>>(`/pages/${page.slug}`);
  expect(body.data.blocks).toMatchObject([
    { type: "product_rail", data: { items: [{ id: demoSofa }] } },
  ]);
  expect(body.data.blocks[0]?.data.items).toHaveLength(1);
});

test("an FAQ section includes the questions of its FAQ group, on the public homepage and on pages", async () => {
  const group = await made("/admin/faqs", {
    slug: `group-${mark()}`,
    title: "Care",
    items: [{ question: "How?", answer_html: "<p>With a cloth.</p>" }],
  });
  const shown = { slug: group.slug, title: group["title"], items: group["items"] };
  const page = await made("/admin/pages", aPageWith(group.slug));
  await made(`/admin/pages/${page.id}/publish`, {});
  type Parts = { type: string; data: unknown }[];
  const seen = await visitor.get<Data<{ blocks: Parts }>>(`/pages/${page.slug}`);
  expect(seen.body.data.blocks).toMatchObject([
    { type: "faq", data: { title: null, group: shown } },
  ]);
  await onHomepage({ type: "faq", data: { group: group.slug } }, async () => {
    await made("/admin/homepage/publish", {});
    await soon(async () => {
      const home = await visitor.get<Data<{ sections: Parts }>>("/home");
      const last = home.body.data.sections.at(-1);
      expect(last).toMatchObject({ type: "faq", data: { group: shown } });
    });
  });
  await made("/admin/homepage/publish", {});
});

describe("a redirect to a record", () => {
  const redirects = async () => (await visitor.get<Data<Redirect[]>>("/redirects")).body.data;
  const leadingTo = async (address: string) =>
    (await redirects()).filter(({ to }) => to === address).map(({ from }) => from);
  const soonLeading = (address: string, paths: readonly unknown[]) =>
    soon(async () => expect(await leadingTo(address)).toEqual(paths));

  test.each<[string, string, () => object]>([
    ["/admin/products", "/products", () => published(aProductBody())],
    ["/admin/sofas", "/sofas", () => published(aSofaBody())],
  ])("is deleted when the target in %s is archived", async (path, shop, body) => {
    const record = await made(path, body());
    const slug = `moved-${mark()}`;
    await staff.patch(`${path}/${record.id}`, { slug });
    const old = `/old-${mark()}`;
    await made("/admin/redirects", { from: old, to: `${shop}/${record.slug}` });
    await soonLeading(`${shop}/${slug}`, [`${shop}/${record.slug}`, old]);
    expect((await staff.delete(`${path}/${record.id}`)).status).toBe(204);
    await soonLeading(`${shop}/${slug}`, []);
  });

  test(
    "starts and ends at the addresses that the settings give the storefront's pages",
    { tags: "slow" },
    async () => {
      onTestFinished(() => usePaths({}));
      const paths = {
        product: "/p/{slug}",
        sofa: "/couches/{slug}.html",
        page: "/about/{slug}/",
        story: "/homes/{slug}",
      };
      await usePaths(paths);
      const moves = [
        ["product", "/admin/products", () => published(aProductBody())],
        ["sofa", "/admin/sofas", () => published(aSofaBody())],
        ["page", "/admin/pages", () => ({ slug: `page-${mark()}`, title: "About" })],
        ["story", "/admin/interiors", aStoryBody],
      ] as const;
      for (const [kind, path, body] of moves) {
        const record = await made(path, body());
        const isDocument = kind === "page" || kind === "story";
        if (isDocument) await made(`${path}/${record.id}/publish`, {});
        const slug = `moved-${mark()}`;
        expect((await staff.patch(`${path}/${record.id}`, { slug })).status).toBe(200);
        if (isDocument) await made(`${path}/${record.id}/publish`, {});
        const [from, to] = [record.slug, slug].map((name) => paths[kind].replace("{slug}", name));
        await soonLeading(to!, [from]);
        if (isDocument) await made(`${path}/${record.id}/unpublish`, {});
        expect((await staff.delete(`${path}/${record.id}`)).status).toBe(204);
        await soonLeading(to!, []);
      }
    },
  );

  test(
    "is deleted with the collection that it leads to, which is recorded in the activity log",
    { tags: "slow" },
    async () => {
      const collection = await made("/admin/categories", {
        kind: "collection",
        slug: `line-${mark()}`,
        name: "Line",
      });
      const list = `/products?collection=${collection.slug}`;
      const redirect = await made("/admin/redirects", aRedirectTo(list));
      await soonLeading(list, [redirect["from"]]);
      expect((await staff.delete(`/admin/categories/${collection.id}`)).status).toBe(204);
      await soonLeading(list, []);
      const log = await staff.get<Data<{ action: string; request_id: string }[]>>(
        `/admin/activity?target=redirect:${redirect.id}`,
      );
      expect(log.body.data.map(({ action }) => action)).toEqual([
        "redirect.delete",
        "redirect.create",
      ]);
    },
  );

  test(
    "blocks the deletion of its target if more redirects lead there than one transaction can delete",
    { tags: "slow" },
    async () => {
      const sofa = await made("/admin/sofas", published(aSofaBody()));
      const path = `/admin/sofas/${sofa.id}`;
      for (let count = 0; count < 81; count++) {
        await made("/admin/redirects", aRedirectTo(`/sofas/${sofa.slug}`));
      }
      const refused = await staff.delete<Problem>(path);
      expect([refused.status, refused.body.code]).toEqual([409, "in_use"]);
      const users = (usersOf(refused) as string[]).map((user) => user.split(" "));
      expect(users.map(([kind]) => kind)).toEqual(Array.from({ length: 20 }, () => "redirect"));
      for (const [, id] of users.slice(0, 2)) await staff.delete(`/admin/redirects/${id}`);
      await soon(async () => expect(await leadingTo(`/sofas/${sofa.slug}`)).toHaveLength(79));
      expect((await staff.delete(path)).status).toBe(204);
      await soonLeading(`/sofas/${sofa.slug}`, []);
    },
  );

  test("is deleted with the page that it leads to", async () => {
    const page = await made("/admin/pages", { slug: `page-${mark()}`, title: "About" });
    const path = `/admin/pages/${page.id}`;
    await made(`${path}/publish`, {});
    const slug = `moved-${mark()}`;
    await staff.patch(path, { slug });
    await made(`${path}/publish`, {});
    await soonLeading(`/pages/${slug}`, [`/pages/${page.slug}`]);
    expect((await staff.delete(path)).status).toBe(204);
    await soonLeading(`/pages/${slug}`, []);
  });
});

test("admin lists filtered by a category include the products of its child categories", async () => {
  const parent = await made("/admin/categories", {
    kind: "category",
    slug: `shelf-${mark()}`,
    name: "Shelf",
  });
  const child = await made("/admin/categories", {
    kind: "category",
    slug: `nook-${mark()}`,
    name: "Nook",
    parent_id: parent.id,
  });
  for (const [path, body] of [
    ["/admin/products", aProductBody({ category_slug: child.slug })],
    ["/admin/sofas", aSofaBody({ category_slug: child.slug })],
  ] as const) {
    const record = await made(path, body);
    await waitFor("staff-index", async () => {
      const listed = await staff.get<Data<Made[]>>(`${path}?category=${parent.slug}`);
      expect(listed.body.data.map(({ id }) => id)).toEqual([record.id]);
    });
  }
});

test("every colour in the list facets has a swatch with a hex value", async () => {
  type Facets = { meta: { facets: { code: string; values: { swatch?: { hex: string } }[] }[] } };
  for (const path of ["/products", "/sofas"]) {
    const { body } = await visitor.get<Facets>(`${path}?include=facets`);
    const colours = body.meta.facets.find(({ code }) => code === "color")?.values ?? [];
    expect(colours.length).toBeGreaterThan(2);
    for (const { swatch } of colours) expect(swatch?.hex).toMatch(/^#[0-9a-f]{6}$/);
  }
});
