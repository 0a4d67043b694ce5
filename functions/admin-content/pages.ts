import { pages } from "#shared/application/content/document-kinds.ts";
import { Page } from "#shared/domain/content/page.ts";
import { PageVersion } from "#shared/storage/content/content-edits.ts";
import { pageList } from "#shared/storage/content/content.ts";
import { documentRoutes } from "./document-routes.ts";

const example = {
  slug: "about-us",
  title: "About us",
  blocks: [{ type: "rich_text", data: { title: "How it began", html: "<p>In a shed.</p>" } }],
};

export const routes = documentRoutes(pages, {
  path: "/admin/pages",
  one: "a page",
  record: Page,
  version: PageVersion,
  examples: { record: example, patch: { title: "About us" } },
  list: {
    plural: "pages",
    row: Page.omit({ blocks: true, seo: true }),
    partition: pageList,
  },
});
