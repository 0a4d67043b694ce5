import * as z from "zod";
import { slugsOf } from "#shared/domain/content/document.ts";
import { Page, PageContent } from "#shared/domain/content/page.ts";
import {
  PageVersion,
  PageVersions,
  pagePartition,
  versionPrefix,
} from "#shared/storage/content/content-edits.ts";
import { Pages, pageList } from "#shared/storage/content/content.ts";
import { documentRoutes } from "./document-routes.ts";
import { inputOf, partsOf, storable, withIds } from "#shared/application/content/document-input.ts";
import { pageStorage } from "#shared/application/content/page-storage.ts";
import { pageReferencesOf } from "#shared/application/content/content-references.ts";

const shape = PageContent.shape;
const example = {
  slug: "about-us",
  title: "About us",
  blocks: [{ type: "rich_text", data: { title: "How it began", html: "<p>In a shed.</p>" } }],
};

const PageInput = z.strictObject({
  slug: shape.slug,
  title: shape.title,
  excerpt: shape.excerpt.default(null),
  blocks: partsOf(shape.blocks).default([]),
  seo: inputOf(shape.seo).default({ title: null, description: null }),
});

export const routes = documentRoutes({
  path: "/admin/pages",
  prefix: "page",
  plural: "pages",
  storage: pageStorage,
  record: Page,
  row: Page.omit({ blocks: true, seo: true }),
  input: PageInput,
  examples: { record: example, patch: { title: "About us" } },
  listPartition: pageList,
  partition: pagePartition,
  find: (table, id) => table.get(Pages, { id }),
  list: (table, page) =>
    table.page(Pages, { index: "gsi1", partition: pageList, newestFirst: true }, page),
  versions: (table, id, page) =>
    table.page(
      PageVersions,
      { partition: pagePartition(id), prefix: versionPrefix, newestFirst: true },
      page,
    ),
  version: (table, id, version) => table.get(PageVersions, { id, version }),
  versionRecord: PageVersion,
  content: (sent: z.output<typeof PageInput>, now) =>
    storable(PageContent, { ...sent, blocks: withIds("sec", sent.blocks, now) }),
  references: (content: PageContent) => pageReferencesOf(content),
  targets: (page) => [...slugsOf(page)].map((id) => ({ kind: "page", id })),
});
