import { type Data, mark } from "../back-office/catalog.ts";
import type { Calls, Shop } from "./shop.ts";

const aText = () => ({
  type: "rich_text",
  data: { title: "How it began", html: `<p>${mark()}</p>` },
});
const aPage = () => ({ slug: `page-${mark()}`, title: "About us", blocks: [aText()] });
const cover = { url: "media://stories/sea.webp", alt: "The room", width: 1_600, height: 900 };
const aStory = () => ({
  slug: `room-${mark()}`,
  title: "A room by the sea",
  cover,
  body_html: `<p>${mark()}</p>`,
});
const aLink = () => ({ label: mark(), href: "/sofas", children: [] });

/** Calls of staff for the content. */
export function contentCalls({ made, owner }: Shop): Calls {
  /** Calls of one kind of document, published where that matters. */
  function documentCalls(path: string, aDocument: () => object): Calls {
    const draft = async () => ({ params: await made(path, aDocument()) });
    async function published() {
      const said = await draft();
      await made(`${path}/${said.params.id}/publish`);
      return said;
    }
    return {
      [`POST ${path}`]: () => ({ body: aDocument() }),
      [`PUT ${path}/{id}`]: async () => ({ ...(await published()), body: aDocument() }),
      [`PATCH ${path}/{id}`]: async () => ({ ...(await published()), body: { title: mark() } }),
      [`DELETE ${path}/{id}`]: published,
      [`POST ${path}/{id}/publish`]: draft,
      [`POST ${path}/{id}/unpublish`]: published,
      async [`POST ${path}/{id}/versions/{version}/restore`]() {
        const { params } = await published();
        await owner.patch(`${path}/${params.id}`, { title: mark() });
        const [newest] = await current<{ version: number }[]>(`${path}/${params.id}/versions`);
        return { params: { ...params, version: String(newest?.version) } };
      },
    };
  }
  const current = async <Value>(path: string): Promise<Value> =>
    (await owner.get<Data<Value>>(path)).body.data;
  /** The current document with some changes. */
  async function changed(path: string, overrides: object) {
    const { version: _version, ...content } = await current<{ version: number }>(path);
    return { body: { ...content, ...overrides } };
  }
  const oneMoreText = async () => {
    const { sections } = await current<{ sections: object[] }>("/admin/homepage");
    return { sections: [...sections, aText()] };
  };
  /** Publishing or restoring the current version changes nothing. */
  const withText = async () => owner.put("/admin/homepage", await oneMoreText());

  return {
    "PUT /admin/homepage": async () => ({ body: await oneMoreText() }),
    async "POST /admin/homepage/publish"() {
      await withText();
      return {};
    },
    async "POST /admin/homepage/versions/{version}/restore"() {
      await withText();
      await made("/admin/homepage/publish");
      await withText();
      const [newest] = await current<{ version: number }[]>("/admin/homepage/versions");
      return { params: { version: String(newest?.version) } };
    },
    "PUT /admin/announcement": () => changed("/admin/announcement", { text: mark() }),
    "PUT /admin/menus": () => changed("/admin/menus", { legal: [aLink()] }),
    "PUT /admin/sofa-landing": () => changed("/admin/sofa-landing", { usps: [] }),
    ...documentCalls("/admin/pages", aPage),
    ...documentCalls("/admin/interiors", aStory),
  };
}
