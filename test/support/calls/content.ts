import type { Budgets } from "./budget.ts";
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

/** The calls with which staff edit the content. */
export function contentCalls({ made, owner }: Shop): Calls {
  /** Calls for one kind of document. Each document is published first if the call requires that. */
  function documentCalls(path: string, aDocument: () => object): Calls {
    const draft = async () => ({ params: await made(path, aDocument()) });
    async function published() {
      const call = await draft();
      await made(`${path}/${call.params.id}/publish`);
      return call;
    }
    return {
      [`POST ${path}`]: () => ({ body: aDocument() }),
      [`PUT ${path}/{id}`]: async () => ({ ...(await published()), body: aDocument() }),
      [`PATCH ${path}/{id}`]: async () => ({ ...(await published()), body: { title: mark() } }),
      [`DELETE ${path}/{id}`]: published,
      [`POST ${path}/{id}/preview`]: draft,
      [`DELETE ${path}/{id}/preview`]: draft,
      [`POST ${path}/{id}/publish`]: draft,
      [`POST ${path}/{id}/unpublish`]: published,
      async [`GET ${path}/{id}/versions/{version}`]() {
        const { params } = await published();
        const [newest] = await current<{ version: number }[]>(`${path}/${params.id}/versions`);
        return { params: { ...params, version: String(newest?.version) } };
      },
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
  /** Changes the draft first, because publishing or restoring the current version would change nothing. */
  const withText = async () => owner.put("/admin/homepage", await oneMoreText());

  return {
    "PUT /admin/homepage": async () => ({ body: await oneMoreText() }),
    async "POST /admin/homepage/publish"() {
      await withText();
      return {};
    },
    async "GET /admin/homepage/versions/{version}"() {
      const [newest] = await current<{ version: number }[]>("/admin/homepage/versions");
      return { params: { version: String(newest?.version) } };
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

export const contentBudgets: Budgets = {
  "GET /bootstrap": [0, 0, 0, 0],
  "GET /home": [0, 0, 0, 0],
  "GET /pages/{slug}": [0, 0, 0, 0],
  "GET /faqs": [0, 0, 0, 0],
  "GET /interiors": [0, 0, 0, 0],
  "GET /interiors/{slug}": [0, 0, 0, 0],
  "GET /redirects": [0, 0, 0, 0],
  "GET /admin/homepage": [2, 1, 6, 0],
  "PUT /admin/homepage": [3, 2, 5, 20],
  "POST /admin/homepage/publish": [3, 2, 6, 42],
  "GET /admin/homepage/versions": [2, 1, 5, 0],
  "GET /admin/homepage/versions/{version}": [2, 1, 6, 0],
  "POST /admin/homepage/preview": [3, 2, 5, 6],
  "DELETE /admin/homepage/preview": [2, 2, 3, 6],
  "POST /admin/homepage/versions/{version}/restore": [4, 3, 9, 16],
  "GET /admin/announcement": [2, 1, 4, 0],
  "PUT /admin/announcement": [3, 2, 4, 8],
  "GET /admin/menus": [2, 1, 4, 0],
  "PUT /admin/menus": [3, 2, 4, 14],
  "GET /admin/pages": [2, 1, 6, 0],
  "POST /admin/pages": [2, 2, 3, 11],
  "GET /admin/pages/{id}": [2, 1, 4, 0],
  "PUT /admin/pages/{id}": [3, 2, 4, 11],
  "PATCH /admin/pages/{id}": [3, 2, 4, 9],
  "DELETE /admin/pages/{id}": [11, 8, 21, 20],
  "POST /admin/pages/{id}/publish": [5, 3, 6, 13],
  "POST /admin/pages/{id}/unpublish": [3, 2, 4, 11],
  "GET /admin/pages/{id}/versions": [3, 2, 6, 0],
  "GET /admin/pages/{id}/versions/{version}": [2, 1, 4, 0],
  "POST /admin/pages/{id}/preview": [4, 2, 6, 6],
  "DELETE /admin/pages/{id}/preview": [3, 2, 4, 6],
  "POST /admin/pages/{id}/versions/{version}/restore": [4, 3, 6, 9],
  "GET /admin/faqs": [2, 1, 4, 0],
  "POST /admin/faqs": [3, 2, 5, 14],
  "GET /admin/faqs/{slug}": [2, 1, 4, 0],
  "PUT /admin/faqs/{slug}": [3, 2, 5, 14],
  "PATCH /admin/faqs/{slug}": [3, 2, 5, 14],
  "DELETE /admin/faqs/{slug}": [7, 5, 20, 12],
  "GET /admin/interiors": [2, 1, 6, 0],
  "POST /admin/interiors": [2, 2, 3, 11],
  "GET /admin/interiors/{id}": [2, 1, 4, 0],
  "PUT /admin/interiors/{id}": [3, 2, 4, 11],
  "PATCH /admin/interiors/{id}": [3, 2, 4, 9],
  "DELETE /admin/interiors/{id}": [11, 8, 22, 23],
  "POST /admin/interiors/{id}/publish": [5, 3, 6, 16],
  "POST /admin/interiors/{id}/unpublish": [3, 2, 4, 14],
  "GET /admin/interiors/{id}/versions": [3, 2, 6, 0],
  "GET /admin/interiors/{id}/versions/{version}": [2, 1, 4, 0],
  "POST /admin/interiors/{id}/preview": [4, 2, 6, 6],
  "DELETE /admin/interiors/{id}/preview": [3, 2, 4, 6],
  "POST /admin/interiors/{id}/versions/{version}/restore": [4, 3, 6, 9],
  "GET /admin/redirects": [2, 1, 4, 0],
  "POST /admin/redirects": [4, 3, 5, 10],
  "GET /admin/redirects/{id}": [2, 1, 4, 0],
  "PUT /admin/redirects/{id}": [3, 2, 4, 14],
  "PATCH /admin/redirects/{id}": [4, 3, 5, 10],
  "DELETE /admin/redirects/{id}": [3, 2, 4, 12],
  "GET /admin/sofa-landing": [2, 1, 4, 0],
  "PUT /admin/sofa-landing": [3, 2, 4, 10],
};
